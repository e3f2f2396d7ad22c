/** An example of {@code @TokenBudget} with the agent. */
package io.tokenbudget.examples.annotatedagent;
