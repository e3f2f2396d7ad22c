package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;

/**
 * Turns a refusal into the exception that the application can catch by type: its own {@code LimitExceededException}
 * where it has one. Thread-safe.
 */
@FunctionalInterface
public interface RefusalFactory {
    /** Throws ours as it is. */
    RefusalFactory OWN = refusal -> refusal;

    /** The exception to throw instead of {@code refusal}, never null. */
    RuntimeException toThrow(LimitExceededException refusal);
}
