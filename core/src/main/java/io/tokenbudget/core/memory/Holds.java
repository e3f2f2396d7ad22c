package io.tokenbudget.core.memory;

import io.tokenbudget.ReservationStatus;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Price;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All reservations, held and remembered, each one row of an array of numbers. A row is named by its index.
 *
 * <p>Numbers instead of an object for each reservation, because a hundred thousand remembered objects would be copied and
 * traced by every garbage collection, and every link between an old and a new one would cost a barrier. What the
 * operations of a call read and write of a reservation stands in one line of the processor's cache; with its places in the
 * lists and two references it is 84 bytes. Rows are reused, the last freed first. Not thread-safe; guarded by the ledger's
 * lock.
 */
final class Holds {
    static final int NONE = -1;

    private static final int FIRST_CAPACITY = 64;

    /** A row is as long as a line of the processor's cache. */
    private static final int CELLS = 8;

    /** Large arrays begin at a line, with a header of sixteen bytes: the first row begins at the next line. */
    private static final int FIRST_CELL = 6;

    private static final int EXPIRES_AT = FIRST_CELL;
    private static final int ENDED_AT = FIRST_CELL + 1;
    private static final int INPUT = FIRST_CELL + 2;
    private static final int OUTPUT = FIRST_CELL + 3;
    private static final int REQUESTED_OUTPUT = FIRST_CELL + 4;
    private static final int SEQUENCE = FIRST_CELL + 5;
    /** With {@link #UP_FRONT} where that is its kind. */
    private static final int STATE = FIRST_CELL + 6;

    private static final int FIRST_LINE = FIRST_CELL + 7;

    private long[] cells = new long[FIRST_CELL + FIRST_CAPACITY * CELLS];
    private int capacity = FIRST_CAPACITY;
    final Links links = new Links(FIRST_CAPACITY);

    /** The id that the caller gave, null where the ledger made one. */
    @Nullable
    String[] callersId = new String[FIRST_CAPACITY];

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private @Nullable List<BudgetRef>[] budgets = new List[FIRST_CAPACITY];

    /** Null until one hold is within another. */
    private @Nullable Within @Nullable [] within;

    /** Null until something costs something: nano-USD that are held, and by which price. */
    private long @Nullable [] cost;

    private @Nullable Price @Nullable [] price;

    private final FreeList free = new FreeList(FIRST_CAPACITY);

    private static final int UP_FRONT = 1 << 8;

    /** Values of {@link #state(int)}. */
    static final int FREE = 0;

    static final int HELD = 1;
    static final int SETTLED = 2;
    static final int REFUNDED = 3;
    static final int EXPIRED = 4;
    static final int EXPIRED_AND_SETTLED = 5;

    int allocate() {
        if (free.isEmpty()) {
            grow();
        }
        return free.take();
    }

    void free(int hold) {
        cells[hold * CELLS + STATE] = FREE;
        if (within != null) {
            within[hold] = null;
        }
        if (cost != null && price != null) {
            cost[hold] = 0;
            price[hold] = null;
        }
        callersId[hold] = null;
        budgets[hold] = null;
        free.give(hold);
    }

    long expiresAt(int hold) {
        return cells[hold * CELLS + EXPIRES_AT];
    }

    void expiresAt(int hold, long value) {
        cells[hold * CELLS + EXPIRES_AT] = value;
    }

    long endedAt(int hold) {
        return cells[hold * CELLS + ENDED_AT];
    }

    void endedAt(int hold, long value) {
        cells[hold * CELLS + ENDED_AT] = value;
    }

    long input(int hold) {
        return cells[hold * CELLS + INPUT];
    }

    void input(int hold, long value) {
        cells[hold * CELLS + INPUT] = value;
    }

    long output(int hold) {
        return cells[hold * CELLS + OUTPUT];
    }

    void output(int hold, long value) {
        cells[hold * CELLS + OUTPUT] = value;
    }

    long requestedOutput(int hold) {
        return cells[hold * CELLS + REQUESTED_OUTPUT];
    }

    void requestedOutput(int hold, long value) {
        cells[hold * CELLS + REQUESTED_OUTPUT] = value;
    }

    /** Counts the reservations: orders those that expire at the same time, and tells the uses of a row apart. */
    long sequence(int hold) {
        return cells[hold * CELLS + SEQUENCE];
    }

    void sequence(int hold, long value) {
        cells[hold * CELLS + SEQUENCE] = value;
    }

    int state(int hold) {
        return (int) cells[hold * CELLS + STATE] & ~UP_FRONT;
    }

    /** A row that was free is held. */
    void begin(int hold, HoldRequest.Kind kind) {
        cells[hold * CELLS + STATE] = kind == HoldRequest.Kind.UP_FRONT ? HELD | UP_FRONT : HELD;
    }

    void state(int hold, int value) {
        int at = hold * CELLS + STATE;
        cells[at] = (cells[at] & UP_FRONT) | value;
    }

    boolean isUpFront(int hold) {
        return (cells[hold * CELLS + STATE] & UP_FRONT) != 0;
    }

    /** What it holds of a unit. */
    long amount(int hold, LimitUnit unit) {
        return isUpFront(hold)
                ? (unit == LimitUnit.TOKENS ? output(hold) : 0)
                : Amounts.held(unit, input(hold), output(hold), cost(hold));
    }

    /** Nano-USD that it holds. */
    long cost(int hold) {
        return cost == null ? 0 : cost[hold];
    }

    /** What it costs; null if nothing. */
    @Nullable
    Price price(int hold) {
        return price == null ? null : price[hold];
    }

    void price(int hold, Price of, long held) {
        if (cost == null || price == null) {
            cost = new long[capacity];
            price = new Price[capacity];
        }
        cost[hold] = held;
        price[hold] = of;
    }

    /** Where it draws from; null if from nowhere. */
    @Nullable
    Within within(int hold) {
        return within == null ? null : within[hold];
    }

    void within(int hold, Within outer) {
        if (within == null) {
            within = new Within[capacity];
        }
        within[hold] = outer;
    }

    int firstLine(int hold) {
        return (int) cells[hold * CELLS + FIRST_LINE];
    }

    void firstLine(int hold, int value) {
        cells[hold * CELLS + FIRST_LINE] = value;
    }

    List<BudgetRef> budgets(int hold) {
        return Objects.requireNonNull(budgets[hold]);
    }

    void budgets(int hold, List<BudgetRef> ofCall) {
        budgets[hold] = ofCall;
    }

    int capacity() {
        return capacity;
    }

    ReservationStatus status(int hold) {
        return switch (state(hold)) {
            case HELD -> ReservationStatus.HELD;
            case SETTLED -> ReservationStatus.SETTLED;
            case REFUNDED -> ReservationStatus.REFUNDED;
            default -> ReservationStatus.EXPIRED;
        };
    }

    private void grow() {
        int larger = Math.multiplyExact(capacity, 2);
        cells = Arrays.copyOf(cells, Math.addExact(FIRST_CELL, Math.multiplyExact(larger, CELLS)));
        callersId = Arrays.copyOf(callersId, larger);
        budgets = Arrays.copyOf(budgets, larger);
        if (within != null) {
            within = Arrays.copyOf(within, larger);
        }
        if (cost != null && price != null) {
            cost = Arrays.copyOf(cost, larger);
            price = Arrays.copyOf(price, larger);
        }
        links.grow(larger);
        free.grow(larger);
        capacity = larger;
    }
}
