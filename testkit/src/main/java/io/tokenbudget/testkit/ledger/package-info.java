/**
 * The contract of a {@link io.tokenbudget.core.spi.Ledger}: one abstract suite that every store runs, and the slow,
 * obvious ledger it is compared with.
 */
@NullMarked
package io.tokenbudget.testkit.ledger;

import org.jspecify.annotations.NullMarked;
