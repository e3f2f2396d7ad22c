package io.tokenbudget.testkit.matrix;

import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * What the application sees of a call: the answer, or the types and messages of what was thrown and of its causes.
 *
 * @param text in one line for each exception
 */
public record Outcome(String text) {
    private static final int DEEPEST_CAUSE = 16;
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    static Outcome of(Callable<String> call) {
        try {
            return new Outcome("answered " + call.call());
        } catch (Exception thrown) {
            return new Outcome("threw" + chain(thrown));
        }
    }

    /** The types and messages of {@code thrown} and of its causes. */
    static String chain(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            text.append(' ').append(cause.getClass().getName()).append(": ").append(cause.getMessage());
            text.append('\n');
            cause = cause.getCause();
        }
        return text.toString();
    }

    boolean isAnswer() {
        return text.startsWith("answered");
    }

    /** Without what differs from cell to cell and from run to run: {@code names}, and numbers such as ports and offsets. */
    Outcome without(String... names) {
        String same = text;
        for (String name : names) {
            same = same.replace(name, "");
        }
        return new Outcome(NUMBERS.matcher(same).replaceAll("#"));
    }
}
