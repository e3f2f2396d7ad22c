package io.tokenbudget.core.memory;

import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Elements in the order of their expiry.
 *
 * <p>Holds nearly always expire in the order in which they were made, because all last equally long. Those that do stand
 * in a linked list: O(1) to add at its tail and to remove anywhere. Those that were extended or that last differently
 * stand beside it in a tree: O(log n). Not thread-safe; guarded by the ledger's lock.
 */
final class ExpiryQueue<T extends ExpiryNode> implements Iterable<T> {
    private static final Comparator<ExpiryNode> BY_EXPIRY =
            Comparator.<ExpiryNode>comparingLong(node -> node.expiresAt).thenComparingLong(node -> node.sequence);

    private @Nullable T head;
    private @Nullable T tail;
    private @Nullable TreeSet<T> outOfLine;

    void add(T node) {
        T last = tail;
        if (last == null) {
            head = node;
        } else if (last.expiresAt <= node.expiresAt) {
            last.next = node;
            node.previous = last;
        } else {
            if (outOfLine == null) {
                outOfLine = new TreeSet<>(BY_EXPIRY);
            }
            node.outOfLine = true;
            outOfLine.add(node);
            return;
        }
        node.outOfLine = false;
        tail = node;
    }

    @SuppressWarnings("unchecked") // neighbours were added as T
    void remove(T node) {
        if (node.outOfLine) {
            if (outOfLine != null) {
                outOfLine.remove(node);
            }
            return;
        }
        T before = (T) node.previous;
        T after = (T) node.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        node.previous = null;
        node.next = null;
    }

    /** The element that expires first, or null. */
    @Nullable
    T first() {
        T inLine = head;
        if (outOfLine == null || outOfLine.isEmpty()) {
            return inLine;
        }
        T beside = outOfLine.first();
        return inLine == null || BY_EXPIRY.compare(beside, inLine) < 0 ? beside : inLine;
    }

    /** From the first to expire to the last; the queue must not change meanwhile. */
    @Override
    public Iterator<T> iterator() {
        Iterator<T> beside = outOfLine == null ? java.util.Collections.emptyIterator() : outOfLine.iterator();
        return new Merged<>(head, beside);
    }

    private static final class Merged<T extends ExpiryNode> implements Iterator<T> {
        private @Nullable T inLine;
        private final Iterator<T> rest;
        private @Nullable T beside;

        Merged(@Nullable T inLine, Iterator<T> rest) {
            this.inLine = inLine;
            this.rest = rest;
            this.beside = rest.hasNext() ? rest.next() : null;
        }

        @Override
        public boolean hasNext() {
            return inLine != null || beside != null;
        }

        @Override
        @SuppressWarnings("unchecked") // neighbours were added as T
        public T next() {
            T line = inLine;
            T tree = beside;
            if (tree != null && (line == null || BY_EXPIRY.compare(tree, line) < 0)) {
                beside = rest.hasNext() ? rest.next() : null;
                return tree;
            }
            if (line == null) {
                throw new java.util.NoSuchElementException();
            }
            inLine = (T) line.next;
            return line;
        }
    }
}
