package io.tokenbudget.core.memory;

import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Held reservations in the order of their expiry: all of the ledger (rows are holds), or those of one account (rows are
 * lines).
 *
 * <p>Of those that expire at one time, the one that was made first comes first. Holds nearly always expire in the order in
 * which they were made, because all last equally long: those stand in a linked list, O(1) to add at its tail and to remove
 * anywhere. Those that were extended or that last differently stand beside it in a tree: O(log n). Not thread-safe; guarded
 * by the ledger's lock.
 */
final class ExpiryList {
    private static final Comparator<Entry> BY_EXPIRY =
            Comparator.comparingLong(Entry::expiresAt).thenComparingLong(Entry::sequence);

    private final Holds holds;
    private final @Nullable Lines lines;
    private final Links links;
    private int head = Holds.NONE;
    private int tail = Holds.NONE;
    private @Nullable TreeSet<Entry> outOfLine;

    private record Entry(long expiresAt, long sequence, int row) {}

    /** Of all holds. */
    ExpiryList(Holds holds) {
        this.holds = holds;
        this.lines = null;
        this.links = holds.links;
    }

    /** Of one account's lines. */
    ExpiryList(Holds holds, Lines lines) {
        this.holds = holds;
        this.lines = lines;
        this.links = lines.links;
    }

    int hold(int row) {
        return lines == null ? row : lines.hold[row];
    }

    void add(int row) {
        int last = tail;
        if (last != Holds.NONE && expiresAfter(hold(last), hold(row))) {
            addBeside(row);
            return;
        }
        links.previous[row] = last;
        links.next[row] = Holds.NONE;
        if (last == Holds.NONE) {
            head = row;
        } else {
            links.next[last] = row;
        }
        tail = row;
    }

    /** Adds a row that expires later than others of its age: in the list it would keep those that come next out. */
    void addBeside(int row) {
        if (outOfLine == null) {
            outOfLine = new TreeSet<>(BY_EXPIRY);
        }
        links.previous[row] = Links.OUT_OF_LINE;
        outOfLine.add(entry(row));
    }

    private boolean expiresAfter(int hold, int other) {
        long later = holds.expiresAt(hold) - holds.expiresAt(other);
        return later == 0 ? holds.sequence(hold) > holds.sequence(other) : later > 0;
    }

    /** Removes a row whose expiry is still the one with which it was added. */
    void remove(int row) {
        int before = links.previous[row];
        if (before == Links.OUT_OF_LINE) {
            if (outOfLine != null) {
                outOfLine.remove(entry(row));
            }
            return;
        }
        int after = links.next[row];
        if (before == Holds.NONE) {
            head = after;
        } else {
            links.next[before] = after;
        }
        if (after == Holds.NONE) {
            tail = before;
        } else {
            links.previous[after] = before;
        }
    }

    /** The row that expires first, or {@link Holds#NONE}. */
    int first() {
        if (outOfLine == null || outOfLine.isEmpty()) {
            return head;
        }
        Entry beside = outOfLine.first();
        return head == Holds.NONE || BY_EXPIRY.compare(beside, entry(head)) < 0 ? beside.row : head;
    }

    /** From the first to expire to the last; the list must not change meanwhile. */
    Cursor cursor() {
        return new Cursor();
    }

    private Entry entry(int row) {
        int hold = hold(row);
        return new Entry(holds.expiresAt(hold), holds.sequence(hold), row);
    }

    /** Merges the list and the tree. */
    final class Cursor {
        private int inLine = head;
        private final @Nullable Iterator<Entry> tree = outOfLine == null ? null : outOfLine.iterator();
        private @Nullable Entry beside = nextOfTree();

        /** The next row, or {@link Holds#NONE}. */
        int next() {
            Entry entry = beside;
            if (entry != null && (inLine == Holds.NONE || BY_EXPIRY.compare(entry, entry(inLine)) < 0)) {
                beside = nextOfTree();
                return entry.row;
            }
            int row = inLine;
            if (row != Holds.NONE) {
                inLine = links.next[row];
            }
            return row;
        }

        private @Nullable Entry nextOfTree() {
            return tree != null && tree.hasNext() ? tree.next() : null;
        }
    }
}
