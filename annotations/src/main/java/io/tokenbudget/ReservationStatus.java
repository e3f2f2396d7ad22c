package io.tokenbudget;

/** Where a reservation stands. It leaves {@link #HELD} at most once. */
public enum ReservationStatus {
    /** Room is held on every budget of the reservation. */
    HELD,
    /** Real usage has replaced the hold. */
    SETTLED,
    /** The hold was released and no usage booked. */
    REFUNDED,
    /** Nobody ended the hold in time. A settle that comes later still books its usage. */
    EXPIRED
}
