/**
 * Spring AI calls to {@code token-budget-core}: what a prompt will cost, what an answer cost, how a call failed.
 *
 * <p>Serves the agent and the starters alike and knows neither. It compiles against the oldest supported Spring AI and
 * runs on all; what newer versions added or dropped is reached without linking to it.
 */
@NullMarked
package io.tokenbudget.springai;

import org.jspecify.annotations.NullMarked;
