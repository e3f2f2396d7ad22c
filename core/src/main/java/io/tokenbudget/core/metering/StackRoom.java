package io.tokenbudget.core.metering;

/**
 * Whether there is stack left for what must not stop half way: making a hold and ending one. An application that recurses
 * without an end overflows its stack wherever it happens to be, also inside of the ledger, where half of a change would stay.
 *
 * <p>Found out by trying: a recursion with frames larger than those of the code that it stands for, which neither compiler
 * turns into a loop. Thread-safe: it keeps nothing.
 */
final class StackRoom {
    /**
     * Frames of at least a hundred bytes once compiled, and of some six hundred while interpreted: what the ledger and all
     * that is around it need is less by more than half in both cases.
     */
    private static final int DEPTH = 128;

    private StackRoom() {}

    static boolean isLeft() {
        try {
            return descend(DEPTH, 1, 2, 3, 4, 5, 6, 7, 8) > 0;
        } catch (StackOverflowError none) {
            return false;
        }
    }

    /** @throws StackOverflowError if none is left; nothing has happened then */
    static void require() {
        if (!isLeft()) {
            throw new StackOverflowError("no room for what must not stop half way");
        }
    }

    /** Positive. All parameters are needed after the call, so that each frame keeps them. */
    private static long descend(int left, long a, long b, long c, long d, long e, long f, long g, long h) {
        if (left == 0) {
            return a | 1;
        }
        long below = descend(left - 1, b, c, d, e, f, g, h, a);
        return (below & 1) | (a & b & c & d & e & f & g & h);
    }
}
