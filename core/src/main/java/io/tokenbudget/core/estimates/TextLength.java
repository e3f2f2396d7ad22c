package io.tokenbudget.core.estimates;

import org.jspecify.annotations.Nullable;

/**
 * Counts tokens by calibrated length, a piece at a time: the pieces of a text have together what the text has. Not
 * thread-safe.
 */
public final class TextLength {
    private static final long THOUSAND = 1000;

    /** Of a longer text no more than so many characters are looked at, in blocks from all over it: 50 microseconds. */
    private static final int MOST_CHARACTERS = 16 * 1024;

    private static final int BLOCK = 1024;

    private final TextScanner scanner = new TextScanner();
    private final int[] weights;
    private final ModelFamily family;
    private long thousandths;

    /** For a model whose vocabulary is not known. */
    public TextLength() {
        this(Vocabulary.O200K);
    }

    TextLength(Vocabulary vocabulary) {
        this(vocabulary, ModelFamily.OTHER);
    }

    TextLength(Vocabulary vocabulary, ModelFamily family) {
        this.weights = vocabulary.weights();
        this.family = family;
    }

    /**
     * Tokens of a text by itself: zero for null or empty text and at least one for any other. A long text is sampled, so that
     * this takes no longer than for one of sixteen thousand characters.
     */
    public static long of(@Nullable CharSequence text) {
        return of(text, Vocabulary.O200K);
    }

    static long of(@Nullable CharSequence text, Vocabulary vocabulary) {
        if (text == null || text.length() == 0) {
            return 0;
        }
        TextLength length = new TextLength(vocabulary);
        if (text.length() <= MOST_CHARACTERS) {
            length.read(text);
        } else {
            length.sample(text);
        }
        return Math.max(1, length.tokens());
    }

    private void sample(CharSequence text) {
        long step = (long) BLOCK * ((text.length() + MOST_CHARACTERS - 1) / MOST_CHARACTERS);
        long looked = 0;
        for (long begin = 0; begin < text.length(); begin += step) {
            int end = (int) Math.min(text.length(), begin + BLOCK);
            read(text, (int) begin, end);
            looked += end - begin;
        }
        thousandths = Math.round((double) thousandths / looked * text.length());
    }

    /** Adds a piece. */
    public void read(@Nullable CharSequence piece) {
        if (piece != null) {
            read(piece, 0, piece.length());
        }
    }

    private void read(CharSequence text, int begin, int end) {
        long sum = 0;
        for (int i = begin; i < end; i++) {
            sum += weights[scanner.next(text.charAt(i))];
        }
        thousandths += sum;
    }

    /** Tokens of all pieces so far, begun ones included. */
    public long tokens() {
        return family.scaled((thousandths + THOUSAND - 1) / THOUSAND);
    }
}
