package io.tokenbudget.core.estimates;

import io.tokenbudget.core.BudgetReport.ModelEstimate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimates requests, a model at a time. One for a process; thread-safe. At most 500 models are remembered: names may come
 * from whoever calls the application.
 */
public final class ModelEstimates {
    private static final int MOST_MODELS = 500;

    private final BooleanSupplier exact;
    private final Map<String, ModelTokens> models = new ConcurrentHashMap<>();
    private final ModelTokens unknown = new ModelTokens("");

    /** @param exact whether short texts may be counted with the model's vocabulary; asked for each request */
    public ModelEstimates(BooleanSupplier exact) {
        this.exact = exact;
    }

    /** What is known of a model, whose name may be null. */
    public ModelTokens of(@Nullable String model) {
        if (model == null || model.isBlank()) {
            return unknown;
        }
        ModelTokens known = models.get(model);
        if (known != null) {
            return known;
        }
        return models.size() >= MOST_MODELS ? new ModelTokens(model) : models.computeIfAbsent(model, ModelTokens::new);
    }

    /** Counts one request to a model. */
    public RequestTokens request(@Nullable String model) {
        return new RequestTokens(of(model), exact.getAsBoolean());
    }

    /** How good the estimates were, for each model that has answered, by name. */
    public List<ModelEstimate> report() {
        return models.values().stream()
                .map(ModelTokens::report)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(ModelEstimate::model))
                .toList();
    }
}
