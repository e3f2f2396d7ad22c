package io.tokenbudget.core.spi;

import java.time.Duration;

/** How the sentences of refusals write a scope and a wait, whoever refuses. Stateless. */
public final class RefusalText {
    private static final int LONGEST_SCOPE = 200;

    private RefusalText() {}

    /** Values come from outside: no line breaks into a log, and no pages of text. */
    public static String scope(String scope) {
        String text = scope.length() <= LONGEST_SCOPE ? scope : scope.substring(0, LONGEST_SCOPE) + "...";
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().map(c -> Character.isISOControl(c) ? '?' : c).forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** {@code 59m 30s}; rounded up to whole seconds above one. */
    public static String wait(Duration wait) {
        if (wait.toMillis() < 1000) {
            return wait.toMillis() + "ms";
        }
        long seconds = (wait.toMillis() + 999) / 1000;
        StringBuilder text = new StringBuilder();
        append(text, seconds / 86_400, "d");
        append(text, seconds / 3600 % 24, "h");
        append(text, seconds / 60 % 60, "m");
        append(text, seconds % 60, "s");
        return text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(text.isEmpty() ? "" : " ").append(amount).append(unit);
        }
    }
}
