package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Ollama's embeddings: as many answers as inputs, and none of them has output that is counted. */
final class OllamaEmbedFormat implements WireFormat {

    @Override
    public String name() {
        return "ollama-embed";
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        Object input = body.get("input");
        List<?> texts = input instanceof List<?> list ? list : input == null ? List.of() : List.of(input);
        if (texts.isEmpty()) {
            throw new IllegalArgumentException("input is required");
        }
        List<Turn> inputs = new ArrayList<>();
        for (Object text : texts) {
            inputs.add(new Turn(Turn.Role.USER, text.toString(), false, TextPieces.countTree(text)));
        }
        return ModelRequest.ofInputs(request.bearer(), OllamaRequest.model(body), inputs, inputs.size(), 0, body);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        Long wanted = Json.number(request.body().get("dimensions"));
        int dimensions = wanted == null ? Vectors.DIMENSIONS : wanted.intValue();
        List<Object> embeddings = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            embeddings.add(Vectors.of(request.turns().get(index).text(), dimensions));
        }
        Map<String, Object> body = map(
                "model",
                request.model(),
                "embeddings",
                embeddings,
                "total_duration",
                2_000_000,
                "load_duration",
                1_000_000);
        TokenCount usage = answer.reported();
        if (usage != null) {
            body.put("prompt_eval_count", usage.input());
        }
        return Body.json(body);
    }

    @Override
    public Map<String, Object> error(int status, String message) {
        return map("error", message);
    }
}
