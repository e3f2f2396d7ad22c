package io.tokenbudget.core.config;

/** A text that stands for no value; the message says what was found and what is allowed. */
final class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private InvalidValueException(String message) {
        super(message);
    }

    /** {@code found "5 hours": why}. */
    static InvalidValueException found(String text, String why) {
        return new InvalidValueException("found " + quote(text) + ": " + why);
    }

    /** {@code found "5 hours"; allowed: 5m, 1h}. */
    static InvalidValueException notAllowed(String text, String allowed) {
        return new InvalidValueException("found " + quote(text) + "; allowed: " + allowed);
    }

    /** In quotes, on one line, cut where it would fill the screen. */
    static String quote(String text) {
        String line = text.replace("\n", "\\n");
        return '"' + (line.length() > 100 ? line.substring(0, 100) + "…" : line) + '"';
    }
}
