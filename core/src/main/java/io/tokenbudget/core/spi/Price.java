package io.tokenbudget.core.spi;

import io.tokenbudget.Usage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What calls of one model cost. Immutable.
 *
 * <p>Amounts are nano-USD; what a call costs is exact, rounded up to the next nano-USD once for the whole call, and never more
 * than {@link Limit#MAX_AMOUNT}. Input tokens that came from a cache or were written to one are parts of the input, and
 * reasoning tokens a part of the output, each with a rate of its own.
 */
public final class Price {
    /** The largest rate: a thousand USD for a million tokens. Five parts at this rate stay countable. */
    public static final long MOST_FOR_A_MILLION = 1_000_000_000_000L;

    private static final long MILLION = 1_000_000;

    private final @Nullable String unknownModel;
    private final Rates rates;
    private final List<Step> steps;
    private final long request;
    private final long image;
    private final int images;

    /**
     * @param rates up to the first of {@code steps}
     * @param steps rates of requests with more input, the smallest first; unmodifiable
     * @param request nano-USD for each call, beside its tokens
     * @param image nano-USD for each picture that is made
     */
    public Price(Rates rates, List<Step> steps, long request, long image) {
        this(null, rates, steps, request, image, 0);
    }

    private Price(@Nullable String unknownModel, Rates rates, List<Step> steps, long request, long image, int images) {
        this.unknownModel = unknownModel;
        this.rates = rates;
        this.steps = steps;
        this.request = request;
        this.image = image;
        this.images = images;
    }

    /**
     * Nano-USD for a million tokens of each kind, from 0 to {@link #MOST_FOR_A_MILLION}.
     *
     * @param input that was neither read from a cache nor written to one
     * @param cachedInput read from a cache
     * @param cacheWrite written to a cache
     * @param output that is not reasoning
     * @param reasoning thoughts, where they are counted apart
     */
    public record Rates(long input, long cachedInput, long cacheWrite, long output, long reasoning) {
        /** Nothing costs anything. */
        public static final Rates FREE = new Rates(0, 0, 0, 0, 0);
    }

    /**
     * The rates of requests with much input.
     *
     * @param above with more than so many input tokens
     */
    public record Step(long above, Rates rates) {}

    /** The price of a model that nobody has said a price of: limits in money refuse its calls. */
    public static Price unknown(@Nullable String model) {
        return new Price(model == null ? "" : model, Rates.FREE, List.of(), 0, 0, 0);
    }

    /** The rates up to the first step. */
    public Rates rates() {
        return rates;
    }

    /** The rates of requests with more input, the smallest first; unmodifiable. */
    public List<Step> steps() {
        return steps;
    }

    /** Nano-USD for each call, beside its tokens. */
    public long request() {
        return request;
    }

    /** Nano-USD for each picture that is made. */
    public long image() {
        return image;
    }

    /** Whether what calls cost is known. */
    public boolean isKnown() {
        return unknownModel == null;
    }

    /** The model of an {@linkplain #unknown unknown} price; empty if the call named none, null if the price is known. */
    public @Nullable String unknownModel() {
        return unknownModel;
    }

    /** This for a call that makes so many pictures, zero or more. */
    public Price ofImages(int images) {
        return images == this.images || image == 0
                ? this
                : new Price(unknownModel, rates, steps, request, image, images);
    }

    /** This for more output of a call that was paid for already, and which had so much input. */
    public Price goingOn(long inputTokens) {
        return new Price(unknownModel, rates(inputTokens), List.of(), 0, 0, 0);
    }

    /** What a call costs that used this. */
    public long of(Usage usage) {
        Rates at = rates(usage.inputTokens());
        long plainInput = usage.inputTokens() - usage.cachedInputTokens() - usage.cacheWriteTokens();
        long plainOutput = usage.outputTokens() - usage.reasoningTokens();
        Sum sum = new Sum();
        sum.add(plainInput, at.input);
        sum.add(usage.cachedInputTokens(), at.cachedInput);
        sum.add(usage.cacheWriteTokens(), at.cacheWrite);
        sum.add(plainOutput, at.output);
        sum.add(usage.reasoningTokens(), at.reasoning);
        return sum.total(fee());
    }

    /** The most that a call of these tokens can cost, whatever their kinds turn out to be. */
    public long most(long inputTokens, long outputTokens) {
        Rates at = rates(inputTokens);
        Sum sum = new Sum();
        sum.add(inputTokens, Math.max(at.input, Math.max(at.cachedInput, at.cacheWrite)));
        sum.add(outputTokens, Math.max(at.output, at.reasoning));
        return sum.total(fee());
    }

    private long fee() {
        Sum sum = new Sum();
        sum.addWhole(images, image);
        return sum.total(request);
    }

    private Rates rates(long inputTokens) {
        Rates at = rates;
        for (Step step : steps) {
            if (inputTokens > step.above) {
                at = step.rates;
            }
        }
        return at;
    }

    /** Nano-USD with their millionths, so that rounding happens once. Stops at the most that is counted. */
    private static final class Sum {
        private long whole;
        private long millionths;

        void add(long tokens, long rate) {
            addWhole(tokens / MILLION, rate);
            millionths += tokens % MILLION * rate;
        }

        void addWhole(long count, long amount) {
            boolean countable = Math.multiplyHigh(count, amount) == 0 && count * amount >= 0;
            whole = Math.min(
                    Limit.MAX_AMOUNT,
                    whole + (countable ? Math.min(Limit.MAX_AMOUNT, count * amount) : Limit.MAX_AMOUNT));
        }

        long total(long more) {
            long rounded = millionths / MILLION + (millionths % MILLION == 0 ? 0 : 1);
            return Math.min(Limit.MAX_AMOUNT, whole + rounded + more);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Price price
                && Objects.equals(unknownModel, price.unknownModel)
                && rates.equals(price.rates)
                && steps.equals(price.steps)
                && request == price.request
                && image == price.image
                && images == price.images;
    }

    @Override
    public int hashCode() {
        return Objects.hash(unknownModel, rates, steps, request, image, images);
    }

    @Override
    public String toString() {
        return unknownModel == null ? rates + " " + steps : "unknown price of \"" + unknownModel + '"';
    }
}
