/**
 * The accounting matrix for LangChain4j: a driver, and a test for each way in.
 *
 * <p>Compiled against the oldest supported line and run, unchanged, on every line by the modules beside this one. Only
 * {@code LangChain4jInProcessTest} may import {@code token-budget-core} and {@code token-budget-langchain4j}.
 */
@NullMarked
package io.tokenbudget.integrationtests.langchain4j;

import org.jspecify.annotations.NullMarked;
