package io.tokenbudget;

/** A reservation id was used again for a request with other amounts or other scopes. */
public class IdempotencyConflictException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** @param message names the id and what differs */
    public IdempotencyConflictException(String message) {
        super(message);
    }
}
