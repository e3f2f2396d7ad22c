/**
 * Runs of the contract suites that keep their budgets in the test's own process, with {@code token-budget-core}.
 *
 * <p>Not for runs under the agent: see {@code io.tokenbudget.testkit.matrix}.
 */
@NullMarked
package io.tokenbudget.testkit.inprocess;

import org.jspecify.annotations.NullMarked;
