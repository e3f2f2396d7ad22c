/**
 * An application that uses what LangChain4j makes model calls with beside a plain chat: guardrails, retrieval, tools,
 * streams, agents. Knows nothing of Token Budget; a launch test compares what it prints with what the provider billed.
 */
@NullMarked
package io.tokenbudget.launches.runs;

import org.jspecify.annotations.NullMarked;
