/**
 * The accounting matrix for Spring AI: a driver, a test for each way to ask and each way in, and the cells that only
 * Spring AI has.
 *
 * <p>Compiled against the oldest supported line and run, unchanged, on every line by the modules beside this one; what 2.0
 * builds differently is behind {@link io.tokenbudget.integrationtests.springai.Generation}. Only
 * {@code InProcessMatrix} and its subclasses may import {@code token-budget-core} and {@code token-budget-spring-ai}.
 */
@NullMarked
package io.tokenbudget.integrationtests.springai;

import org.jspecify.annotations.NullMarked;
