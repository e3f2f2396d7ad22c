package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** OpenAI's images, made from a text or from another image. Each costs the same. */
final class OpenAiImagesFormat extends OpenAiFormat {
    private static final long TOKENS_OF_AN_IMAGE = 272;
    private static final String ONE_PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    OpenAiImagesFormat() {
        super("openai-images");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        boolean edit = request.path().endsWith("/edits");
        Map<String, Object> body = edit ? Multipart.fields(request) : request.json();
        String prompt = required(body, "prompt");
        List<Turn> inputs = new ArrayList<>();
        inputs.add(Turn.user(prompt));
        if (edit) {
            inputs.add(new Turn(Turn.Role.USER, "", false, MediaTokens.IMAGE));
        }
        int count = Integer.parseInt(String.valueOf(body.getOrDefault("n", 1)));
        return ModelRequest.ofInputs(
                request.bearer(), required(body, "model"), inputs, count, TOKENS_OF_AN_IMAGE, body);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        boolean url = "url".equals(request.body().get("response_format"));
        List<Object> data = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            data.add(url ? map("url", "https://images.example/" + index + ".png") : map("b64_json", ONE_PIXEL));
        }
        Map<String, Object> body = map("created", CREATED, "data", data);
        TokenCount usage = answer.reported();
        if (usage != null) {
            body.put(
                    "usage",
                    map(
                            "input_tokens", usage.input(),
                            "input_tokens_details", map("text_tokens", usage.input(), "image_tokens", 0),
                            "output_tokens", usage.output(),
                            "total_tokens", usage.total()));
        }
        return Body.json(body);
    }
}
