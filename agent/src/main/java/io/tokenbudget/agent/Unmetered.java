package io.tokenbudget.agent;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls that pass without a reservation, the outermost of each kind on a thread: frameworks' methods hand on to
 * each other. What a metered call makes of itself on the way to the provider is part of that call and is not counted.
 *
 * <p>Thread-safe. Public because advices, which other loaders define, call it.
 */
public final class Unmetered {
    /**
     * The kinds under way on this thread; those of a task that it runs for others while it waits are apart from the call it
     * waits in. Only JDK types, and removed with the last.
     */
    @SuppressWarnings("ThreadLocalUsage") // static
    private static final ThreadLocal<List<String>> OPEN = new ThreadLocal<>();

    private Unmetered() {}

    /** Before a call of a kind that this version does not meter. */
    public static @Nullable Object enter(CallMeter meter, String kind) {
        String entered = outermost(meter, kind);
        if (entered != null) {
            meter.unmetered(kind);
        }
        return entered;
    }

    /** Before a call that is not metered for a reason that has been said. */
    public static @Nullable Object enterSilently(CallMeter meter, String kind) {
        String entered = outermost(meter, kind);
        if (entered != null) {
            meter.unmetered();
        }
        return entered;
    }

    /** What is under way from now on; null if it is part of what is under way already. */
    private static @Nullable String outermost(CallMeter meter, String kind) {
        int depth = CallMeter.helpingDepth();
        String entered = depth == 0 ? kind : kind + '#' + depth;
        List<String> open = OPEN.get();
        if (open != null && open.contains(entered)) {
            return null;
        }
        Frame metered = meter.current();
        if (metered != null && !metered.inTools()) {
            return null;
        }
        if (open == null) {
            open = new ArrayList<>(2);
            OPEN.set(open);
        }
        open.add(entered);
        return entered;
    }

    /**
     * After the call.
     *
     * @param entered what {@link #enter} returned, or an array that begins with it
     * @return null: nothing to throw
     */
    public static @Nullable Throwable exit(@Nullable Object entered) {
        List<String> open = OPEN.get();
        Object first = entered instanceof Object[] several ? several[0] : entered;
        if (first instanceof String kind && open != null) {
            open.remove(kind);
            if (open.isEmpty()) {
                OPEN.remove();
            }
        }
        return null;
    }
}
