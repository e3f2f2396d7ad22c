package io.tokenbudget;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who is calling: the value of each dimension that budgets are kept for. Immutable; made by {@link #builder()}.
 *
 * <p>A dimension without a value here is looked up in the identity sources of the configuration.
 */
public final class BudgetContext {
    /**
     * The key under which a context that a framework carries along carries one of these: in a Reactor context, {@code
     * flux.contextWrite(Context.of(BudgetContext.KEY, context))}.
     */
    public static final String KEY = "io.tokenbudget.context";

    /** Nothing is said about the caller. */
    public static final BudgetContext EMPTY = builder().build();

    /** Name, value, name, value: a handful at most, and most calls ask for one or two. */
    private final String[] pairs;

    private final @Nullable String plan;
    private final @Nullable String idempotencyKey;
    private final @Nullable Object run;
    private final @Nullable Object request;

    private BudgetContext(Builder builder) {
        this.pairs = Arrays.copyOf(builder.pairs, builder.length);
        this.plan = builder.plan;
        this.idempotencyKey = builder.idempotencyKey;
        this.run = builder.run;
        this.request = builder.request;
    }

    private BudgetContext(String[] pairs) {
        this.pairs = pairs;
        this.plan = null;
        this.idempotencyKey = null;
        this.run = null;
        this.request = null;
    }

    /**
     * An agent of a tenant.
     *
     * @throws IllegalArgumentException if one is blank
     */
    public static BudgetContext of(String agent, String tenant) {
        return new BudgetContext(new String[] {
            "agent", Builder.requireText("agent", agent), "tenant", Builder.requireText("tenant", tenant)
        });
    }

    /** An empty builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The agent's name, or null. */
    public @Nullable String agent() {
        return dimension("agent");
    }

    /** The tenant, or null. */
    public @Nullable String tenant() {
        return dimension("tenant");
    }

    /** The user, or null. */
    public @Nullable String user() {
        return dimension("user");
    }

    /** The project, or null. */
    public @Nullable String project() {
        return dimension("project");
    }

    /** The workspace, or null. */
    public @Nullable String workspace() {
        return dimension("workspace");
    }

    /** The tool that runs, or null. */
    public @Nullable String tool() {
        return dimension("tool");
    }

    /** The run that the calls belong to, or null. */
    public @Nullable String runId() {
        return dimension("run");
    }

    /** The plan whose multiplier applies, or null. */
    public @Nullable String plan() {
        return plan;
    }

    /** What makes repeats of one call recognisable, or null. */
    public @Nullable String idempotencyKey() {
        return idempotencyKey;
    }

    /** The value of any dimension, or null. */
    public @Nullable String dimension(String name) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(name)) {
                return pairs[i + 1];
            }
        }
        return null;
    }

    /** All dimensions that have a value, in the order they were set. Unmodifiable. */
    public Map<String, String> dimensions() {
        Map<String, String> dimensions = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            dimensions.put(pairs[i], pairs[i + 1]);
        }
        return Collections.unmodifiableMap(dimensions);
    }

    /**
     * What the limiter keeps with the run that this context is of, whatever thread the context goes to; null if it is of none.
     * For implementations of a limiter: it says nothing of who is calling, and two contexts are equal without it.
     */
    public @Nullable Object run() {
        return run;
    }

    /**
     * What the limiter keeps of the request that this context was opened for, for the identity sources of the configuration
     * that read requests; null if it is of none. For implementations of a limiter, like {@link #run}.
     */
    public @Nullable Object request() {
        return request;
    }

    /** This context with everything that {@code narrower} says, which comes before what this says. */
    public BudgetContext with(BudgetContext narrower) {
        Builder merged = toBuilder();
        for (int i = 0; i < narrower.pairs.length; i += 2) {
            merged.set(narrower.pairs[i], narrower.pairs[i + 1]);
        }
        merged.plan = narrower.plan == null ? plan : narrower.plan;
        merged.idempotencyKey = narrower.idempotencyKey == null ? idempotencyKey : narrower.idempotencyKey;
        merged.run = narrower.run == null ? run : narrower.run;
        merged.request = narrower.request == null ? request : narrower.request;
        return merged.build();
    }

    /** A builder that starts with everything this context says. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.pairs = Arrays.copyOf(pairs, pairs.length + 4);
        builder.length = pairs.length;
        builder.plan = plan;
        builder.idempotencyKey = idempotencyKey;
        builder.run = run;
        builder.request = request;
        return builder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BudgetContext that
                && dimensions().equals(that.dimensions())
                && Objects.equals(plan, that.plan)
                && Objects.equals(idempotencyKey, that.idempotencyKey);
    }

    @Override
    public int hashCode() {
        return Objects.hash(dimensions(), plan, idempotencyKey);
    }

    @Override
    public String toString() {
        return "BudgetContext" + dimensions() + (plan == null ? "" : " plan " + plan);
    }

    /** Builds a {@link BudgetContext}. Not thread-safe. Values must not be blank. */
    public static final class Builder {
        private String[] pairs = new String[4];
        private int length;
        private @Nullable String plan;
        private @Nullable String idempotencyKey;
        private @Nullable Object run;
        private @Nullable Object request;

        private Builder() {}

        /** Sets the agent's name. */
        public Builder agent(String agent) {
            return set("agent", agent);
        }

        /** Sets the tenant. */
        public Builder tenant(String tenant) {
            return set("tenant", tenant);
        }

        /** Sets the user. */
        public Builder user(String user) {
            return set("user", user);
        }

        /** Sets the project. */
        public Builder project(String project) {
            return set("project", project);
        }

        /** Sets the workspace. */
        public Builder workspace(String workspace) {
            return set("workspace", workspace);
        }

        /** Sets the tool that runs. */
        public Builder tool(String tool) {
            return set("tool", tool);
        }

        /** Sets the run that the calls belong to. */
        public Builder runId(String runId) {
            return set("run", runId);
        }

        /**
         * Sets any dimension, of the built-in names or of the user's own.
         *
         * @throws IllegalArgumentException if the name is {@code global}, blank, or contains {@code :}, {@code /} or
         *     {@code *}, or the value is blank
         */
        public Builder dimension(String name, String value) {
            if (name.isBlank()
                    || name.equals("global")
                    || name.indexOf(':') >= 0
                    || name.indexOf('/') >= 0
                    || name.indexOf('*') >= 0) {
                throw new IllegalArgumentException("\"" + name
                        + "\" cannot be a dimension: a name must not be blank, \"global\", or contain ':', '/' or '*'");
            }
            return set(name, value);
        }

        private Builder set(String name, String value) {
            requireText(name, value);
            for (int i = 0; i < length; i += 2) {
                if (pairs[i].equals(name)) {
                    pairs[i + 1] = value;
                    return this;
                }
            }
            if (length == pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * length);
            }
            pairs[length++] = name;
            pairs[length++] = value;
            return this;
        }

        /** Sets the plan whose multiplier applies. */
        public Builder plan(String plan) {
            this.plan = requireText("plan", plan);
            return this;
        }

        /** Sets what makes repeats of one call recognisable. */
        public Builder idempotencyKey(String idempotencyKey) {
            this.idempotencyKey = requireText("idempotencyKey", idempotencyKey);
            return this;
        }

        /** Sets what {@link BudgetContext#run} returns; null for nothing. */
        public Builder run(@Nullable Object run) {
            this.run = run;
            return this;
        }

        /** Sets what {@link BudgetContext#request} returns; null for nothing. */
        public Builder request(@Nullable Object request) {
            this.request = request;
            return this;
        }

        /** The context. The builder may be used further. */
        public BudgetContext build() {
            return new BudgetContext(this);
        }

        private static String requireText(String name, String value) {
            Objects.requireNonNull(value, name);
            if (value.isBlank()) {
                throw new IllegalArgumentException(name + " must not be blank");
            }
            return value;
        }
    }
}
