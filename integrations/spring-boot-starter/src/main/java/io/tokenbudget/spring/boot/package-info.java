/**
 * Token Budget in a Spring Boot application: configuration under {@code token-budget}, the limiter as a bean, every model
 * metered however it is injected, {@code @TokenBudget} on beans, HTTP answers and the actuator.
 *
 * <p>Written against Spring Boot 3.5, Spring AI 1.0 and LangChain4j 1.0, and run on Spring Boot 4, Spring AI 2 and later
 * versions too: only what all of them have is linked to. Nothing here may keep the application context from starting, but for
 * annotations that cannot mean what is written.
 */
@NullMarked
package io.tokenbudget.spring.boot;

import org.jspecify.annotations.NullMarked;
