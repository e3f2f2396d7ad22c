package io.tokenbudget.core.spi;

/**
 * How the reservations of a ledger stand.
 *
 * @param held now
 * @param settled since the ledger began; a settle after expiry is counted as expired, not here
 * @param refunded since the ledger began
 * @param expired since the ledger began
 * @param refused reserves and top-ups refused since the ledger began
 */
public record LedgerCounts(long held, long settled, long refunded, long expired, long refused) {}
