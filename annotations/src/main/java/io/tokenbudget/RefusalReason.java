package io.tokenbudget;

/** Why a reservation was refused. New reasons may be added. */
public enum RefusalReason {
    /** A limit has no room for it now. */
    LIMIT_REACHED,
    /** It is larger than a whole limit and will never fit. */
    NEVER_FITS,
    /** A limit in money applies and nobody has said what the model's calls cost. */
    UNKNOWN_PRICE
}
