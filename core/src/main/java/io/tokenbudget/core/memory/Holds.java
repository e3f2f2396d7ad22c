package io.tokenbudget.core.memory;

import io.tokenbudget.ReservationStatus;
import io.tokenbudget.core.spi.BudgetRef;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All reservations, held and remembered, as rows of columns. A row is named by its index.
 *
 * <p>Columns of numbers instead of an object for each reservation, because a hundred thousand remembered objects would be
 * copied and traced by every garbage collection, and every link between an old and a new one would cost a barrier: this
 * way a reservation is some 75 bytes, by the widths of the columns, in arrays of numbers that the collector never looks
 * into, and one reference to the budgets of its call. Rows are reused, the last freed first. Not thread-safe; guarded by
 * the ledger's lock.
 */
final class Holds {
    static final int NONE = -1;

    private static final int FIRST_CAPACITY = 64;

    long[] expiresAt = new long[FIRST_CAPACITY];
    long[] endedAt = new long[FIRST_CAPACITY];
    long[] input = new long[FIRST_CAPACITY];
    long[] output = new long[FIRST_CAPACITY];
    long[] requestedOutput = new long[FIRST_CAPACITY];

    /** Counts the reservations: orders those that expire at the same time, and tells the uses of a row apart. */
    long[] sequence = new long[FIRST_CAPACITY];

    byte[] state = new byte[FIRST_CAPACITY];
    int[] firstLine = new int[FIRST_CAPACITY];
    final Links links = new Links(FIRST_CAPACITY);

    /** The id that the caller gave, null where the ledger made one. */
    @Nullable
    String[] callersId = new String[FIRST_CAPACITY];

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private @Nullable List<BudgetRef>[] budgets = new List[FIRST_CAPACITY];

    private final FreeList free = new FreeList(FIRST_CAPACITY);

    /** Values of {@link #state}. */
    static final byte FREE = 0;

    static final byte HELD = 1;
    static final byte SETTLED = 2;
    static final byte REFUNDED = 3;
    static final byte EXPIRED = 4;
    static final byte EXPIRED_AND_SETTLED = 5;

    int allocate() {
        if (free.isEmpty()) {
            grow();
        }
        return free.take();
    }

    void free(int hold) {
        state[hold] = FREE;
        callersId[hold] = null;
        budgets[hold] = null;
        free.give(hold);
    }

    List<BudgetRef> budgets(int hold) {
        return Objects.requireNonNull(budgets[hold]);
    }

    void budgets(int hold, List<BudgetRef> ofCall) {
        budgets[hold] = ofCall;
    }

    int capacity() {
        return state.length;
    }

    ReservationStatus status(int hold) {
        return switch (state[hold]) {
            case HELD -> ReservationStatus.HELD;
            case SETTLED -> ReservationStatus.SETTLED;
            case REFUNDED -> ReservationStatus.REFUNDED;
            default -> ReservationStatus.EXPIRED;
        };
    }

    private void grow() {
        int old = state.length;
        int larger = Math.multiplyExact(old, 2);
        expiresAt = Arrays.copyOf(expiresAt, larger);
        endedAt = Arrays.copyOf(endedAt, larger);
        input = Arrays.copyOf(input, larger);
        output = Arrays.copyOf(output, larger);
        requestedOutput = Arrays.copyOf(requestedOutput, larger);
        sequence = Arrays.copyOf(sequence, larger);
        state = Arrays.copyOf(state, larger);
        firstLine = Arrays.copyOf(firstLine, larger);
        callersId = Arrays.copyOf(callersId, larger);
        budgets = Arrays.copyOf(budgets, larger);
        links.grow(larger);
        free.grow(larger);
    }
}
