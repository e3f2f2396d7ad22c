package io.tokenbudget.core.memory;

/**
 * Where a hold draws from, and how much it has of there. Not thread-safe; guarded by the ledger's lock.
 *
 * <p>What is used counts as drawn first: only what was drawn and not used goes back.
 */
final class Within {
    /** The row of the hold up front. */
    final int outer;

    /** Tells the uses of that row apart. */
    final long outerSequence;

    /** Tokens that it has drawn. */
    long drawn;

    /** Tokens that it has beside them. */
    long own;

    Within(int outer, long outerSequence) {
        this.outer = outer;
        this.outerSequence = outerSequence;
    }
}
