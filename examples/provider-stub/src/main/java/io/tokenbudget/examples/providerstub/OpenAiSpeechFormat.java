package io.tokenbudget.examples.providerstub;

import java.util.List;
import java.util.Map;

/** OpenAI's speech: silence, billed by the text that would be spoken. The client is never told. */
final class OpenAiSpeechFormat extends OpenAiFormat {
    private static final long OUTPUT_FOR_ONE_OF_INPUT = 5;
    private static final int BYTES_FOR_ONE_OF_INPUT = 32;

    OpenAiSpeechFormat() {
        super("openai-speech");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        Turn input = Turn.user(required(body, "input"));
        return ModelRequest.ofInputs(
                request.bearer(),
                required(body, "model"),
                List.of(input),
                1,
                OUTPUT_FOR_ONE_OF_INPUT * input.tokens(),
                body);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        return new Body("audio/mpeg", new byte[BYTES_FOR_ONE_OF_INPUT * (int) request.promptTokens()]);
    }
}
