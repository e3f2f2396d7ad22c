package io.tokenbudget.core.estimates;

import io.tokenbudget.core.BudgetReport.ModelEstimate;
import java.util.Locale;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the requests to one model, and remembers how far off the estimates were. Thread-safe: adders, and a ratio that
 * guards itself.
 */
public final class ModelTokens {
    /** A correction adds at most so many times what was seen. */
    private static final int EXTRAPOLATED = 4;

    final ModelFamily family;

    /** The name in lower case. */
    final String name;

    private final String model;
    final @Nullable Vocabulary vocabulary;
    private final RunningRatio ratio = new RunningRatio();

    /**
     * By how many tokens an estimate was too low at most. What is added to every request, such as the tools that a provider
     * hosts, is much beside a short one: the ratio of short requests must not refuse a long one that fits.
     */
    private final LongAccumulator mostBeyond = new LongAccumulator(Math::max, 0);

    private final LongAdder calls = new LongAdder();
    private final LongAdder estimated = new LongAdder();
    private final LongAdder actual = new LongAdder();
    private final LongAdder off = new LongAdder();

    /** @param model empty if it is not known */
    ModelTokens(String model) {
        this.model = model;
        this.name = model.toLowerCase(Locale.ROOT);
        this.family = ModelFamily.of(model);
        this.vocabulary = Vocabulary.of(model);
    }

    /** For counting a text of this model's that comes in pieces. */
    public TextLength textLength() {
        return new TextLength(vocabulary == null ? Vocabulary.O200K : vocabulary, family);
    }

    /** {@code estimate} tokens as this model's provider will count them, going by what it reported before; not negative. */
    public long corrected(long estimate) {
        double factor = ratio.get();
        if (estimate <= 0 || factor == 1) {
            return Math.max(0, estimate);
        }
        long most = estimate + EXTRAPOLATED * mostBeyond.get();
        return Math.max(1, Math.min(most, Math.round(estimate * factor)));
    }

    /**
     * Takes down what a call's input really was. Nothing is remembered of a model without a name, or without both numbers.
     *
     * @param estimate what was estimated, uncorrected
     * @param held what was held for it, corrected
     * @param reported what the provider reported
     */
    public void observe(long estimate, long held, long reported) {
        if (estimate > 0 && reported > 0 && !model.isEmpty()) {
            calls.increment();
            estimated.add(estimate);
            actual.add(reported);
            off.add(Math.abs(held - reported));
            mostBeyond.accumulate(reported - estimate);
            ratio.observe(estimate, reported);
        }
    }

    /** Null if nothing was taken down yet. */
    @Nullable
    ModelEstimate report() {
        double sum = actual.sum();
        return sum == 0
                ? null
                : new ModelEstimate(
                        model, calls.sum(), thousandths(sum / estimated.sum()), thousandths(off.sum() / sum));
    }

    private static double thousandths(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
