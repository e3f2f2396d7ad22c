package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** OpenAI's moderations. They are free. In the scenario {@code content-filter} everything is flagged. */
final class OpenAiModerationsFormat extends OpenAiFormat {
    private static final List<String> CATEGORIES = List.of(
            "harassment",
            "harassment/threatening",
            "hate",
            "hate/threatening",
            "illicit",
            "illicit/violent",
            "self-harm",
            "self-harm/instructions",
            "self-harm/intent",
            "sexual",
            "sexual/minors",
            "violence",
            "violence/graphic");

    OpenAiModerationsFormat() {
        super("openai-moderations");
    }

    @Override
    public ModelRequest read(WebRequest request) {
        Map<String, Object> body = request.json();
        List<Turn> inputs = new ArrayList<>();
        for (Object input : inputs(body.get("input"))) {
            inputs.add(new Turn(Turn.Role.USER, input.toString(), false, 0));
        }
        String model = body.get("model") instanceof String named ? named : "omni-moderation-latest";
        return ModelRequest.ofInputs(request.bearer(), model, inputs, inputs.size(), 0, body);
    }

    /** A text, a list of texts, or the parts of one message. */
    private static List<?> inputs(@Nullable Object input) {
        if (input == null || input.equals(List.of())) {
            throw new IllegalArgumentException("'input' cannot be empty");
        }
        boolean several = input instanceof List<?> && Json.objects(input).isEmpty();
        return several ? (List<?>) input : List.of(input);
    }

    @Override
    public Body answer(ModelRequest request, Answer answer) {
        boolean flagged = answer.finish() == Answer.Finish.CONTENT_FILTER;
        Map<String, Object> categories = new LinkedHashMap<>();
        Map<String, Object> scores = new LinkedHashMap<>();
        for (String category : CATEGORIES) {
            boolean here = flagged && category.equals("violence");
            categories.put(category, here);
            scores.put(category, here ? 0.9 : 0.001);
        }
        List<Object> results = new ArrayList<>();
        for (int index = 0; index < answer.answers(); index++) {
            results.add(map("flagged", flagged, "categories", categories, "category_scores", scores));
        }
        return Body.json(map("id", "modr-stub", "model", request.model(), "results", results));
    }
}
