package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;

/** OpenAI's transcriptions and translations of speech, not streamed. Every file costs the same. */
final class OpenAiTranscriptionFormat extends OpenAiFormat {

    OpenAiTranscriptionFormat() {
        super("openai-transcription");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = Multipart.fields(request);
        if (!body.containsKey("file")) {
            throw new IllegalArgumentException("you must provide a file parameter");
        }
        Turn prompt = Turn.user(String.valueOf(body.getOrDefault("prompt", "")));
        Turn file = new Turn(Turn.Role.USER, "the file", false, MediaTokens.OTHER);
        return new ModelRequest(
                request.bearer(),
                required(body, "model"),
                List.of(prompt, file),
                prompt.tokens() + file.tokens(),
                List.of(),
                null,
                null,
                1,
                false,
                body);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        String text = answer.answers() == 0 ? "" : answer.text();
        if ("text".equals(request.body().get("response_format"))) {
            return new Body("text/plain; charset=utf-8", text.getBytes(UTF_8));
        }
        Map<String, Object> body = map("text", text);
        TokenCount usage = answer.reported();
        if (usage != null) {
            body.put(
                    "usage",
                    map(
                            "type", "tokens",
                            "input_tokens", usage.input(),
                            "input_token_details", map("text_tokens", 0, "audio_tokens", usage.input()),
                            "output_tokens", usage.output(),
                            "total_tokens", usage.total()));
        }
        return Body.json(body);
    }
}
