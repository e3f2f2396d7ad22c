package io.tokenbudget.core.memory;

import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A reservation, under way or remembered. Guarded by the ledger's lock. */
final class Hold extends ExpiryNode {
    final String id;
    final List<BudgetRef> budgets;
    final long requestedInput;
    final long requestedOutput;
    final long input;
    long output;
    ReservationStatus status = ReservationStatus.HELD;
    boolean settledLate;
    long endedAt;
    Line[] lines = new Line[0];

    Hold(String id, HoldRequest request, long sequence, long expiresAt) {
        this.id = id;
        this.budgets = request.budgets();
        this.requestedInput = request.inputTokens();
        this.requestedOutput = request.outputTokens();
        this.input = requestedInput;
        this.output = requestedOutput;
        this.sequence = sequence;
        this.expiresAt = expiresAt;
    }

    boolean asks(HoldRequest request) {
        return request.inputTokens() == requestedInput
                && request.outputTokens() == requestedOutput
                && scopes(request.budgets()).equals(scopes(budgets));
    }

    Reservation toReservation() {
        return new Reservation(
                id, status, scopes(budgets), input, output, Instant.ofEpochMilli(expiresAt), attempt(id));
    }

    private static List<String> scopes(List<BudgetRef> budgets) {
        List<String> scopes = new ArrayList<>(budgets.size());
        for (BudgetRef budget : budgets) {
            scopes.add(budget.scope().toString());
        }
        return List.copyOf(scopes);
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
}
