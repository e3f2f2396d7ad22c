package io.tokenbudget;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a call asks to hold. Immutable; made by {@link #builder()}. */
public final class ReservationRequest {
    private final @Nullable String id;
    private final BudgetContext context;
    private final @Nullable String model;
    private final long inputTokens;
    private final long outputTokens;
    private final int images;

    private ReservationRequest(Builder builder) {
        this.id = builder.id;
        this.context = builder.context;
        this.model = builder.model;
        this.inputTokens = builder.inputTokens;
        this.outputTokens = builder.outputTokens;
        this.images = builder.images;
    }

    /** A builder without id and model, with an empty context and zero tokens. */
    public static Builder builder() {
        return new Builder();
    }

    /** The caller's own id, or null for a generated one. A repeat with the same id holds nothing more. */
    public @Nullable String id() {
        return id;
    }

    /** Who is calling: which budgets the call falls under. */
    public BudgetContext context() {
        return context;
    }

    /** The model's name as the provider knows it, or null if budgets of models do not apply. */
    public @Nullable String model() {
        return model;
    }

    /** Estimated input tokens. */
    public long inputTokens() {
        return inputTokens;
    }

    /** The most output tokens the call may produce. */
    public long outputTokens() {
        return outputTokens;
    }

    /** How many pictures the call makes: they may have a price of their own. */
    public int images() {
        return images;
    }

    /** Estimated input and output tokens. */
    public long totalTokens() {
        return inputTokens + outputTokens;
    }

    /** Builds a {@link ReservationRequest}. Not thread-safe. */
    public static final class Builder {
        private @Nullable String id;
        private BudgetContext context = BudgetContext.EMPTY;
        private @Nullable String model;
        private long inputTokens;
        private long outputTokens;
        private int images;

        private Builder() {}

        /** The caller's own id; not blank. */
        public Builder id(String id) {
            this.id = Objects.requireNonNull(id, "id");
            return this;
        }

        /** Who is calling. */
        public Builder context(BudgetContext context) {
            this.context = Objects.requireNonNull(context, "context");
            return this;
        }

        /** The model's name as the provider knows it. */
        public Builder model(String model) {
            this.model = Objects.requireNonNull(model, "model");
            return this;
        }

        /** Estimated input tokens, zero or more. */
        public Builder inputTokens(long inputTokens) {
            this.inputTokens = inputTokens;
            return this;
        }

        /** The most output tokens the call may produce, zero or more. */
        public Builder outputTokens(long outputTokens) {
            this.outputTokens = outputTokens;
            return this;
        }

        /** How many pictures the call makes, zero or more; zero if this is not called. */
        public Builder images(int images) {
            this.images = images;
            return this;
        }

        /**
         * @throws IllegalArgumentException if a count is negative, their sum is not positive or overflows, or the id is
         *     blank
         */
        public ReservationRequest build() {
            if (id != null && id.isBlank()) {
                throw new IllegalArgumentException("id must not be blank; leave it out to have one generated");
            }
            if (images < 0) {
                throw new IllegalArgumentException("The number of images must not be negative: " + images);
            }
            if (inputTokens < 0 || outputTokens < 0) {
                throw new IllegalArgumentException(
                        "Token counts must not be negative: input " + inputTokens + ", output " + outputTokens);
            }
            if (inputTokens > Long.MAX_VALUE - outputTokens) {
                throw new IllegalArgumentException("Input (" + inputTokens + ") and output (" + outputTokens
                        + ") together exceed " + Long.MAX_VALUE);
            }
            if (inputTokens + outputTokens == 0) {
                throw new IllegalArgumentException("The estimate must be positive: input and output are both 0");
            }
            return new ReservationRequest(this);
        }
    }
}
