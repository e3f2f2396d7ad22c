/**
 * LangChain4j calls to {@code token-budget-core}: what a request will cost, what an answer cost, how a call failed.
 *
 * <p>Serves the agent and the starters alike and knows neither. It compiles against the oldest supported LangChain4j and
 * runs on all; what newer versions added is reached without linking to it.
 */
@NullMarked
package io.tokenbudget.langchain4j;

import org.jspecify.annotations.NullMarked;
