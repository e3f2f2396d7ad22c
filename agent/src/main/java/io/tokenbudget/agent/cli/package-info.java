/**
 * What {@code java -jar token-budget-agent.jar} does: says what the agent is and what it would go by, and checks files.
 *
 * <p>Runs in a JVM of its own, without an application.
 */
@NullMarked
package io.tokenbudget.agent.cli;

import org.jspecify.annotations.NullMarked;
