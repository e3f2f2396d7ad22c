/**
 * What the agent shows of its budgets over HTTP, on the loopback interface only.
 *
 * <p>Started by the engine where the configuration names a port, never before the application's {@code main}: the JDK's
 * HTTP server initialises logging. It reads reports and changes nothing. It must not be used by anything on a call's path.
 */
@NullMarked
package io.tokenbudget.agent.status;

import org.jspecify.annotations.NullMarked;
