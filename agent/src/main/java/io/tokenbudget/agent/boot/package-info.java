/**
 * The only classes of the agent that the application's class path sees: they open the agent's own class loader and call
 * into it.
 *
 * <p>They run before the application's {@code main}, so they may need nothing but the JDK (JSpecify's
 * annotations are gone at run time), and of the JDK no logging, no
 * {@code java.nio.file}, no management beans and no network: each of these initialises something that the application has
 * the right to configure first. Whatever goes wrong here is said in one line and ends there.
 */
@NullMarked
package io.tokenbudget.agent.boot;

import org.jspecify.annotations.NullMarked;
