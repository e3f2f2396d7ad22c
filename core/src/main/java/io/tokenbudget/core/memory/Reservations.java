package io.tokenbudget.core.memory;

import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.core.spi.BudgetRef;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** Makes what callers see of a reservation. */
final class Reservations {
    private Reservations() {}

    /** A new hold under an id of the ledger's own, which is always a first attempt. */
    static Reservation held(String id, List<BudgetRef> budgets, long input, long output, long expiresAt) {
        return new Reservation(
                id, ReservationStatus.HELD, scopes(budgets), input, output, Instant.ofEpochMilli(expiresAt), 1);
    }

    static Reservation of(
            String id, ReservationStatus status, List<BudgetRef> budgets, long input, long output, long expiresAt) {
        return new Reservation(
                id, status, scopes(budgets), input, output, Instant.ofEpochMilli(expiresAt), attempt(id));
    }

    /** The scopes' texts, each made when it is asked for: most callers never do. Unmodifiable. */
    static List<String> scopes(List<BudgetRef> budgets) {
        return new Scopes(budgets);
    }

    static boolean sameScopes(List<BudgetRef> some, List<BudgetRef> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).scope().equals(others.get(i).scope())) {
                return false;
            }
        }
        return true;
    }

    /** {@code r-1#2} is the second attempt of {@code r-1}. */
    private static int attempt(String id) {
        int hash = id.lastIndexOf('#');
        if (hash < 0 || hash == id.length() - 1 || id.length() - hash > 9) {
            return 1;
        }
        int attempt = 0;
        for (int i = hash + 1; i < id.length(); i++) {
            int digit = id.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 1;
            }
            attempt = attempt * 10 + digit;
        }
        return Math.max(1, attempt);
    }

    private static final class Scopes extends AbstractList<String> implements RandomAccess {
        private final List<BudgetRef> budgets;

        Scopes(List<BudgetRef> budgets) {
            this.budgets = budgets;
        }

        @Override
        public String get(int index) {
            return budgets.get(index).scope().toString();
        }

        @Override
        public int size() {
            return budgets.size();
        }
    }
}
