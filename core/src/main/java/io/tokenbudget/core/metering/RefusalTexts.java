package io.tokenbudget.core.metering;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds refusals again by their text: where a framework has turned an exception into the result of a tool, on whatever
 * thread, that is all that is left of it.
 *
 * <p>Thread-safe: guarded by the map, held for a few comparisons. Remembers the last {@value #MOST} refusals.
 */
final class RefusalTexts {
    private static final int MOST = 256;

    /** A refusal's message is one sentence; what is longer than this is a tool's own result. */
    private static final int LONGEST_TEXT = 4096;

    private final Map<String, RuntimeException> byMessage = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RuntimeException> eldest) {
            return size() > MOST;
        }
    };

    void add(RuntimeException refusal) {
        String message = refusal.getMessage();
        if (message != null && !message.isBlank()) {
            synchronized (byMessage) {
                byMessage.remove(message);
                byMessage.put(message, refusal);
            }
        }
    }

    @Nullable
    RuntimeException find(String text) {
        if (text.length() > LONGEST_TEXT) {
            return null;
        }
        synchronized (byMessage) {
            RuntimeException same = byMessage.get(text);
            if (same != null) {
                return same;
            }
            for (Map.Entry<String, RuntimeException> known : byMessage.entrySet()) {
                if (text.contains(known.getKey())) {
                    return known.getValue();
                }
            }
        }
        return null;
    }
}
