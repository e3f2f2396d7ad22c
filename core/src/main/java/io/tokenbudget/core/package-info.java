/**
 * The limiter: turns a request into the budgets it falls under and asks the ledger to hold room on all of them.
 *
 * <p>Applications use {@link io.tokenbudget.core.TokenLimiters} and otherwise the interfaces of {@code io.tokenbudget}.
 * This module knows no framework, no container and no agent, and must never import one.
 */
@NullMarked
package io.tokenbudget.core;

import org.jspecify.annotations.NullMarked;
