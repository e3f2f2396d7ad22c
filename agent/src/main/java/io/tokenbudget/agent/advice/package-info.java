/**
 * What woven methods call before and after their own code, typed against the frameworks.
 *
 * <p>Each class is loaded once for each class loader of the application, by
 * {@link io.tokenbudget.agent.BridgeLoader}, so it may import a framework and the public classes of the agent, and nothing
 * else of the agent may refer to it but by name. Every advice is delegating, suppresses, and hands a refusal over as a
 * value; a test reads every class here and holds it to that.
 */
@NullMarked
package io.tokenbudget.agent.advice;

import org.jspecify.annotations.NullMarked;
