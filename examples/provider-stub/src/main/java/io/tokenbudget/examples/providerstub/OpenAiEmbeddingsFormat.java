package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenAI's embeddings: as many answers as inputs, and none of them has output that is billed. */
final class OpenAiEmbeddingsFormat extends OpenAiFormat {

    OpenAiEmbeddingsFormat() {
        super("openai-embeddings");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        String model = required(body, "model");
        List<Turn> inputs = inputs(body.get("input"));
        return ModelRequest.ofInputs(request.bearer(), model, inputs, inputs.size(), 0, body);
    }

    /** A text or a list of texts; instead of a text a list of tokens. */
    private static List<Turn> inputs(@Nullable Object input) {
        if (input == null || input.equals("") || input.equals(List.of())) {
            throw new IllegalArgumentException("'input' cannot be empty");
        }
        List<?> list =
                input instanceof List<?> several && !(several.get(0) instanceof Number) ? several : List.of(input);
        List<Turn> inputs = new ArrayList<>();
        for (Object each : list) {
            long tokens = each instanceof List<?> alreadyTokens ? alreadyTokens.size() : TextPieces.countTree(each);
            inputs.add(new Turn(Turn.Role.USER, each.toString(), false, tokens));
        }
        return inputs;
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        boolean base64 = "base64".equals(request.body().get("encoding_format"));
        Long wanted = Json.number(request.body().get("dimensions"));
        int dimensions = wanted == null ? Vectors.DIMENSIONS : wanted.intValue();
        List<Object> data = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            List<Float> vector = Vectors.of(request.turns().get(index).text(), dimensions);
            data.add(map("object", "embedding", "index", index, "embedding", base64 ? Vectors.base64(vector) : vector));
        }
        Map<String, Object> body = map("object", "list", "data", data, "model", request.model());
        TokenCount usage = answer.reported();
        if (usage != null) {
            body.put("usage", map("prompt_tokens", usage.input(), "total_tokens", usage.total()));
        }
        return Body.json(body);
    }
}
