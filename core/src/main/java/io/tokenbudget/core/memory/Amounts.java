package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.LimitUnit;

/** Sums that stop at the largest long instead of wrapping. */
final class Amounts {
    private Amounts() {}

    static long add(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** What a reservation of these tokens holds of a unit. Attempts are booked when it is made, and not held. */
    static long held(LimitUnit unit, long input, long output, long cost) {
        return switch (unit) {
            case TOKENS -> input + output;
            case INPUT_TOKENS -> input;
            case OUTPUT_TOKENS -> output;
            case USD -> cost;
            case REQUESTS, CONCURRENT -> 1;
            case ATTEMPTS -> 0;
        };
    }

    /** What has to have room for a reservation to be made. */
    static long required(LimitUnit unit, HoldRequest request, long cost) {
        if (request.kind() == HoldRequest.Kind.UP_FRONT) {
            return unit == LimitUnit.TOKENS ? request.outputTokens() : 0;
        }
        return unit == LimitUnit.ATTEMPTS ? 1 : held(unit, request.inputTokens(), request.outputTokens(), cost);
    }

    /** What has to have room for a held reservation to grow by these output tokens. */
    static long more(LimitUnit unit, long output, long cost, boolean upFront) {
        return switch (unit) {
            case TOKENS -> output;
            case OUTPUT_TOKENS -> upFront ? 0 : output;
            case USD -> cost;
            default -> 0;
        };
    }

    /** What using these tokens books of a unit. */
    static long used(LimitUnit unit, long input, long output, long cost) {
        return switch (unit) {
            case TOKENS -> input + output;
            case INPUT_TOKENS -> input;
            case OUTPUT_TOKENS -> output;
            case USD -> cost;
            case REQUESTS -> 1;
            case ATTEMPTS, CONCURRENT -> 0;
        };
    }
}
