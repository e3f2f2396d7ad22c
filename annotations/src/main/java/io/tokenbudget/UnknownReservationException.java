package io.tokenbudget;

/** No reservation has this id: it never existed, or it ended so long ago that it is forgotten. */
public class UnknownReservationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** @param message names the id */
    public UnknownReservationException(String message) {
        super(message);
    }
}
