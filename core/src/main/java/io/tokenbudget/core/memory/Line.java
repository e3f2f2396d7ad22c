package io.tokenbudget.core.memory;

/** A hold's place on one account, in the order of expiry there. Guarded by the ledger's lock. */
final class Line extends ExpiryNode {
    final Hold hold;
    final Account account;

    Line(Hold hold, Account account) {
        this.hold = hold;
        this.account = account;
        this.expiresAt = hold.expiresAt;
        this.sequence = hold.sequence;
    }
}
