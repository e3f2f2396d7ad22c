/** LangChain4j's clients of every provider, held to docs/usage.md. */
@NullMarked
package io.tokenbudget.integrationtests.usage.langchain4j;

import org.jspecify.annotations.NullMarked;
