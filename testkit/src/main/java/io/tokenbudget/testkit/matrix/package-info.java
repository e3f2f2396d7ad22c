/**
 * The accounting matrix: one suite by which every integration shows, over real HTTP against a stand-in provider, that
 * what is booked is what the provider billed.
 *
 * <p>Nothing of {@code token-budget-annotations} or {@code token-budget-core} may be imported here: the same suite runs
 * in an application that only has the agent. What needs them is in {@code io.tokenbudget.testkit.inprocess}.
 */
@NullMarked
package io.tokenbudget.testkit.matrix;

import org.jspecify.annotations.NullMarked;
