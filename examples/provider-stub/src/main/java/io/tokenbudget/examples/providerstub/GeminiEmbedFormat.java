package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gemini's embeddings, of one text or of several. They are billed, but the client is never told. */
final class GeminiEmbedFormat implements WireFormat {

    @Override
    public String name() {
        return "gemini-embed";
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        List<Turn> inputs = new ArrayList<>();
        for (Map<?, ?> wanted : requests(body)) {
            List<Map<?, ?>> parts = GeminiRequest.parts(Json.object(wanted.get("content")));
            long tokens = parts.stream().mapToLong(GeminiRequest::tokens).sum();
            inputs.add(new Turn(Turn.Role.USER, Json.text(parts), false, tokens));
        }
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("content is not specified");
        }
        return ModelRequest.ofInputs(
                GeminiRequest.key(request), GeminiRequest.model(request), inputs, inputs.size(), 0, body);
    }

    private static List<Map<?, ?>> requests(Map<String, Object> body) {
        return body.containsKey("content") ? List.of(body) : Json.objects(body.get("requests"));
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        List<Map<?, ?>> requests = requests(request.body());
        List<Object> embeddings = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            Long wanted = Json.number(requests.get(index).get("outputDimensionality"));
            int dimensions = wanted == null ? Vectors.DIMENSIONS : wanted.intValue();
            String text = request.turns().get(index).text();
            embeddings.add(map("values", Vectors.of(text, dimensions)));
        }
        boolean several = request.body().containsKey("requests");
        return Body.json(several ? map("embeddings", embeddings) : single(embeddings));
    }

    private static Map<String, Object> single(List<Object> embeddings) {
        return embeddings.isEmpty() ? map() : map("embedding", embeddings.get(0));
    }

    @Override
    public Map<String, Object> error(int status, String message) {
        return GeminiFormat.errorBody(status, message);
    }
}
