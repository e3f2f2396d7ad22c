package io.tokenbudget.testkit.matrix;

import java.util.List;

/**
 * What an application has seen of a stream.
 *
 * @param pieces the texts, in their order; the provider of the matrix sends a token in each
 * @param ends the signals that end a stream, in their order: one, where all is well
 */
public record Seen(List<String> pieces, List<End> ends) {

    /** Copies the lists. */
    public Seen {
        pieces = List.copyOf(pieces);
        ends = List.copyOf(ends);
    }

    /**
     * A signal that ends a stream.
     *
     * @param kind {@code completed}, or {@code failed} with the types of what failed and of its causes
     * @param detail the whole text, or the messages
     */
    public record End(String kind, String detail) {
        String signal() {
            return kind.substring(0, (kind + ' ').indexOf(' '));
        }

        String type() {
            int causes = kind.indexOf(' ', kind.indexOf(' ') + 1);
            return causes < 0 ? kind : kind.substring(0, causes);
        }

        /** Whether it failed because a budget refused. */
        public boolean isRefusal() {
            return kind.startsWith("failed") && kind.contains('.' + AccountingMatrix.REFUSAL);
        }
    }

    /** All that the application has seen. */
    Outcome outcome() {
        boolean answered = ends.size() == 1 && ends.get(0).kind().equals("completed");
        return new Outcome((answered ? "answered " : "saw ") + String.join("|", pieces) + " then " + ends);
    }

    /** How much it has seen and the type of each end, without what a parser says of the place where it stumbled. */
    Outcome kinds() {
        return new Outcome(
                pieces.size() + " pieces then " + ends.stream().map(End::type).toList());
    }

    /** How it ended at first: without how far it came, and of what failed the type alone. */
    Outcome ending() {
        return new Outcome(ends.isEmpty() ? "did not end" : ends.get(0).type());
    }

    /** Which signal ended it at first, without what failed. */
    Outcome signal() {
        return new Outcome(ends.isEmpty() ? "did not end" : ends.get(0).signal());
    }
}
