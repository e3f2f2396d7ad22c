/**
 * The agent: finds the classes that call models, has them call us, and links each call to the typed code of its framework.
 *
 * <p>Lives in the agent's own class loader. {@link io.tokenbudget.agent.Agent} is where the boot class comes in;
 * {@link io.tokenbudget.agent.Hooks} is the table of what is hooked. Framework types are strings here: only
 * {@code io.tokenbudget.agent.advice} and the integrations may import them, because those are loaded once for each class
 * loader of the application.
 */
@NullMarked
package io.tokenbudget.agent;

import org.jspecify.annotations.NullMarked;
