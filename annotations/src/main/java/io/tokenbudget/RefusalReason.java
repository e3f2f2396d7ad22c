package io.tokenbudget;

/** Why a reservation was refused. New reasons may be added. */
public enum RefusalReason {
    /** A limit has no room for it now. */
    LIMIT_REACHED,
    /** It is larger than a whole limit and will never fit. */
    NEVER_FITS
}
