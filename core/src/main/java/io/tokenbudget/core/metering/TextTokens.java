package io.tokenbudget.core.metering;

import org.jspecify.annotations.Nullable;

/**
 * Estimates how many tokens a text is, from its length alone. Never calls the network; linear, a few nanoseconds a
 * character. Thread-safe.
 */
public final class TextTokens {
    // Thousandths of a token. English prose of GPT-style BPE vocabularies runs at about four characters a token;
    // digits,
    // punctuation and other scripts are split finer.
    private static final int LETTER = 230;
    private static final int SPACE = 90;
    private static final int OTHER_ASCII = 500;
    private static final int OTHER_ALPHABET = 450;
    private static final int IDEOGRAPH = 1000;

    private TextTokens() {}

    /** An estimate, zero for null or empty text and at least one for any other. */
    public static long estimate(@Nullable CharSequence text) {
        if (text == null || text.length() == 0) {
            return 0;
        }
        return Math.max(1, (thousandths(text) + 999) / 1000);
    }

    /** The same in thousandths of a token, not rounded: for the pieces of one text. */
    static long thousandths(@Nullable CharSequence text) {
        long thousandths = 0;
        for (int i = 0; text != null && i < text.length(); i++) {
            thousandths += weight(text.charAt(i));
        }
        return thousandths;
    }

    private static int weight(char c) {
        if (c < 128) {
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
                return LETTER;
            }
            return c == ' ' ? SPACE : OTHER_ASCII;
        }
        return c < 0x2E80 ? OTHER_ALPHABET : IDEOGRAPH;
    }
}
