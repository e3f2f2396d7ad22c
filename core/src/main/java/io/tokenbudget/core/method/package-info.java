/**
 * What {@link io.tokenbudget.TokenBudget} on a method means, the same whatever weaves it.
 *
 * <p>{@link io.tokenbudget.core.method.BudgetedMethod} is made once for each annotated method and refuses wrong use; the
 * agent and the adapters of frameworks only bring its calls here. It must never import a framework.
 */
@NullMarked
package io.tokenbudget.core.method;

import org.jspecify.annotations.NullMarked;
