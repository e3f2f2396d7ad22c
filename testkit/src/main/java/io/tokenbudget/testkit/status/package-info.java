/**
 * What {@code GET /budgets} answers, read from outside the process that keeps the budgets.
 *
 * <p>Needs the JDK and jackson-jr only. Nothing of {@code token-budget-annotations} or {@code token-budget-core} may be
 * imported here: under the agent, an application that has them on its class path is another kind of application.
 */
@NullMarked
package io.tokenbudget.testkit.status;

import org.jspecify.annotations.NullMarked;
