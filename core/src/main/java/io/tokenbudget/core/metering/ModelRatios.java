package io.tokenbudget.core.metering;

import io.tokenbudget.core.BudgetReport.ModelEstimate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How the input that providers reported compares with what was estimated, a model at a time. Thread-safe: adders. */
final class ModelRatios {
    private static final int MOST_MODELS = 500;

    private final Map<String, Sums> models = new ConcurrentHashMap<>();

    void add(@Nullable String model, long estimatedInput, long actualInput) {
        if (model == null || (models.size() >= MOST_MODELS && !models.containsKey(model))) {
            return;
        }
        models.computeIfAbsent(model, name -> new Sums()).add(estimatedInput, actualInput);
    }

    List<ModelEstimate> report() {
        return models.entrySet().stream()
                .map(entry -> entry.getValue().report(entry.getKey()))
                .sorted(Comparator.comparing(ModelEstimate::model))
                .toList();
    }

    private static final class Sums {
        private final LongAdder calls = new LongAdder();
        private final LongAdder estimated = new LongAdder();
        private final LongAdder actual = new LongAdder();

        void add(long estimatedInput, long actualInput) {
            calls.increment();
            estimated.add(estimatedInput);
            actual.add(actualInput);
        }

        ModelEstimate report(String model) {
            long denominator = estimated.sum();
            double ratio = denominator == 0 ? 1 : (double) actual.sum() / denominator;
            return new ModelEstimate(model, calls.sum(), Math.round(ratio * 1000) / 1000.0);
        }
    }
}
