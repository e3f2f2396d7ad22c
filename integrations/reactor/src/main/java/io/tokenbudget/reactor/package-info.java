/**
 * Runs in Reactor: what a method with {@code @TokenBudget} returns as a {@code Mono} or {@code Flux} works for its run.
 *
 * Requests and contexts go with Reactor's schedulers, and with Micrometer's context propagation where that is present.
 *
 * <p>For the agent and the starters; applications need nothing of it. It knows Reactor and no model framework.
 */
@NullMarked
package io.tokenbudget.reactor;

import org.jspecify.annotations.NullMarked;
