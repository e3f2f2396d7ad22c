package io.tokenbudget;

import java.time.Instant;
import java.util.List;

/**
 * A hold on all budgets of one call, as it stood when it was returned. Immutable.
 *
 * @param id what settle, refund, top-up and extend take
 * @param status where it stands
 * @param scopes the budgets it is on, such as {@code tenant:acme}; empty if no budget applies
 * @param inputTokens input tokens reserved
 * @param outputTokens output tokens reserved, top-ups included
 * @param expiresAt when the hold ends by itself
 * @param attempt 1 for the first attempt of a call, 2 for the second with the same idempotency key, and so on
 */
public record Reservation(
        String id,
        ReservationStatus status,
        List<String> scopes,
        long inputTokens,
        long outputTokens,
        Instant expiresAt,
        int attempt) {

    /** Input and output tokens reserved. */
    public long totalTokens() {
        return inputTokens + outputTokens;
    }
}
