/**
 * The seam between the limiter and the store that keeps the budgets.
 *
 * <p>A store implements {@link io.tokenbudget.core.spi.Ledger} and proves itself with the contract suite of
 * {@code token-budget-testkit}. This package imports nothing of the limiter above it, and no store.
 */
@NullMarked
package io.tokenbudget.core.spi;

import org.jspecify.annotations.NullMarked;
