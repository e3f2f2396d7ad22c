package io.tokenbudget.core.estimates;

import org.jspecify.annotations.Nullable;

/**
 * Counts tokens by calibrated length, a piece at a time: the pieces of a text have together what the text has. Not
 * thread-safe.
 */
public final class TextLength {
    private static final long THOUSAND = 1000;

    private final TextScanner scanner = new TextScanner();
    private final int[] weights;
    private long thousandths;

    /** For a model whose vocabulary is not known. */
    public TextLength() {
        this(Vocabulary.O200K);
    }

    TextLength(Vocabulary vocabulary) {
        this.weights = vocabulary.weights();
    }

    /** Tokens of a text by itself: zero for null or empty text and at least one for any other. */
    public static long of(@Nullable CharSequence text) {
        return of(text, Vocabulary.O200K);
    }

    static long of(@Nullable CharSequence text, Vocabulary vocabulary) {
        if (text == null || text.length() == 0) {
            return 0;
        }
        TextLength length = new TextLength(vocabulary);
        length.read(text);
        return Math.max(1, length.tokens());
    }

    /** Adds a piece. */
    public void read(@Nullable CharSequence piece) {
        if (piece == null) {
            return;
        }
        long sum = 0;
        for (int i = 0, end = piece.length(); i < end; i++) {
            sum += weights[scanner.next(piece.charAt(i))];
        }
        thousandths += sum;
    }

    /** Tokens of all pieces so far, begun ones included. */
    public long tokens() {
        return (thousandths + THOUSAND - 1) / THOUSAND;
    }
}
