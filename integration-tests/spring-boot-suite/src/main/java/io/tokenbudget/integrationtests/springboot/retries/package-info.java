/**
 * Applications whose methods with {@code @TokenBudget} are tried again by Spring Retry and by Resilience4j, and what is expected
 * of whatever tries again. Run by the line that has both of them.
 */
@NullMarked
package io.tokenbudget.integrationtests.springboot.retries;

import org.jspecify.annotations.NullMarked;
