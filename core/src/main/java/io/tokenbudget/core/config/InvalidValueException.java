package io.tokenbudget.core.config;

/** A text that stands for no value; the message says what was found and what is allowed. */
final class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String about;

    private InvalidValueException(String about) {
        super("found " + about);
        this.about = about;
    }

    /** {@code found "5 hours": why}. */
    static InvalidValueException found(String text, String why) {
        return new InvalidValueException(quote(text) + ": " + why);
    }

    /** {@code found "5 hours"; allowed: 5m, 1h}. */
    static InvalidValueException notAllowed(String text, String allowed) {
        return new InvalidValueException(quote(text) + "; allowed: " + allowed);
    }

    /** The same about a part of {@code whole}: {@code found "per 5 hours": "5 hours"; allowed: 5m, 1h}. */
    InvalidValueException inside(String whole) {
        return found(whole, about);
    }

    /** In quotes, on one line, cut where it would fill the screen. */
    static String quote(String text) {
        String line = text.replace("\n", "\\n");
        return '"' + (line.length() > 100 ? line.substring(0, 100) + "…" : line) + '"';
    }
}
