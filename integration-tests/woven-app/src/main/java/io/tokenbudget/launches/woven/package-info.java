/**
 * An application with an aspect of its own and methods with {@code @TokenBudget}, which launch tests start with AspectJ's weaver
 * and the agent. Only {@code WithLimiter} needs more of Token Budget than its annotations.
 */
@NullMarked
package io.tokenbudget.launches.woven;

import org.jspecify.annotations.NullMarked;
