package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.config.IdentitySource;
import org.jspecify.annotations.Nullable;

/**
 * Who is calling, as the application's own classes know it. The seam between one limiter and several class loaders.
 *
 * <p>Thread-safe; called on the thread of the model call. What it throws counts as a fault of ours.
 */
public interface CallerSource {

    /** The context that application code opened on this thread; {@link BudgetContext#EMPTY} if none. */
    BudgetContext current();

    /** The value at a source that is read on the thread of the call, {@code mdc:} and the like; null if there is none. */
    @Nullable
    String value(IdentitySource source);

    /** Whether the application's logging backend keeps no diagnostic context, so that nothing is found there ever. */
    default boolean dropsMdc() {
        return false;
    }

    /** The context that {@code carried} is, an object found where a context is carried along; null if it is none. */
    default @Nullable BudgetContext contextIn(@Nullable Object carried) {
        return carried instanceof BudgetContext context ? context : null;
    }

    /** {@code context} as what {@link #contextIn} finds, in the application's own class if it has one. */
    default Object carried(BudgetContext context) {
        return context;
    }

    /** Makes {@code context} what {@link #current} returns on this thread, in place of what is open, until it is closed. */
    default Scope open(BudgetContext context) {
        return Scope.NOTHING;
    }

    /**
     * Says to the application's logging and tracing, on this thread, which reservation is held for the call that it makes.
     *
     * @param reservation its id; null for none
     * @return what this said before; null if nothing
     */
    default @Nullable String reservation(@Nullable String reservation) {
        return null;
    }

    /** What {@link #open} has opened. */
    interface Scope extends AutoCloseable {
        /** Nothing is open. */
        Scope NOTHING = () -> {};

        @Override
        void close();
    }

    /** The context of {@link TokenBudgets}, and the SLF4J and OpenTelemetry that {@code loader} sees, if it sees one. */
    static CallerSource of(@Nullable ClassLoader loader) {
        ThreadValues values = ThreadValues.seenBy(loader);
        return new CallerSource() {
            @Override
            public BudgetContext current() {
                return TokenBudgets.current();
            }

            @Override
            public Scope open(BudgetContext context) {
                return TokenBudgets.openInstead(context)::close;
            }

            @Override
            public @Nullable String value(IdentitySource source) {
                return values.value(source);
            }

            @Override
            public @Nullable String reservation(@Nullable String reservation) {
                return values.reservation(reservation);
            }

            @Override
            public boolean dropsMdc() {
                return values.dropsMdc();
            }
        };
    }
}
