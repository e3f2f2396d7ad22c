package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds refusals again by their text: where a framework has turned an exception into the result of a tool, on whatever
 * thread, that is all that is left of it.
 *
 * <p>The same sentence may stand in a tool's result for another reason, such as a log that the tool reads. So a refusal is
 * found by the run that met it; where no run is known on both sides, or the tool has lost it on a thread of its own, only for
 * {@value #SECONDS} seconds, not once waiting has helped, and only by a caller whom the exhausted budget is kept for.
 *
 * <p>Thread-safe: guarded by the map, held for a few comparisons. Remembers the last {@value #MOST} refusals.
 */
final class RefusalTexts {
    private static final int MOST = 256;
    private static final int SECONDS = 60;

    /** A refusal's message is one sentence; what is longer than this is a tool's own result. */
    private static final int LONGEST_TEXT = 4096;

    private final Map<String, Told> byMessage = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Told> eldest) {
            return size() > MOST;
        }
    };

    /**
     * @param toThrow what the application gets
     * @param run the run that met it, or null
     * @param until when another run no longer finds it, in milliseconds of the ledger's clock
     */
    private record Told(
            RuntimeException toThrow,
            LimitExceededException refusal,
            @Nullable Run run,
            long until) {}

    void add(RuntimeException toThrow, LimitExceededException refusal, @Nullable Run run, long now) {
        String message = toThrow.getMessage();
        if (message == null || message.isBlank()) {
            return;
        }
        Duration retryAfter = refusal.retryAfter();
        long wait = Duration.ofSeconds(SECONDS).toMillis();
        long until = now + (retryAfter == null ? wait : Math.min(wait, retryAfter.toMillis()));
        synchronized (byMessage) {
            byMessage.remove(message);
            byMessage.put(message, new Told(toThrow, refusal, run, until));
        }
    }

    /**
     * The refusal whose message {@code text} is or contains, or null.
     *
     * @param run that of the thread, or null
     * @param caller who calls on this thread
     */
    @Nullable
    RuntimeException find(String text, @Nullable Run run, long now, Supplier<BudgetContext> caller) {
        List<Told> told = find(text);
        for (Told each : told) {
            if (run != null && each.run != null && run.isSameAs(each.run)) {
                return each.toThrow;
            }
        }
        for (Told each : told) {
            if (now < each.until && isKeptFor(caller.get(), each.refusal.scope())) {
                return each.toThrow;
            }
        }
        return null;
    }

    /** What {@code text} may be of; the one that it is as it stands comes first, a text may quote several. */
    private List<Told> find(String text) {
        if (text.length() > LONGEST_TEXT) {
            return List.of();
        }
        List<Told> found = new ArrayList<>();
        synchronized (byMessage) {
            Told same = byMessage.get(text);
            if (same != null) {
                found.add(same);
            }
            byMessage.forEach((message, told) -> {
                if (!message.equals(text) && text.contains(message)) {
                    found.add(told);
                }
            });
        }
        return found;
    }

    /** A value as it was before a scope wrote it. */
    private static String unescaped(String written) {
        return written.replace("%2F", "/").replace("%252", "%2");
    }

    /** Whether nothing that {@code caller} says of itself speaks against its being one of {@code scope}. */
    private static boolean isKeptFor(BudgetContext caller, String scope) {
        for (String part : List.of(scope.split("/", -1))) {
            int colon = part.indexOf(':');
            String value = colon < 0 ? null : caller.dimensions().get(part.substring(0, colon));
            if (value != null && !value.equals(unescaped(part.substring(colon + 1)))) {
                return false;
            }
        }
        return true;
    }
}
