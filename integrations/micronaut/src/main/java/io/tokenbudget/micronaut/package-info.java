/**
 * Token Budget in Micronaut 4: {@code @TokenBudget} on beans, LangChain4j model beans that are metered however they are
 * injected, budgets in the application's own configuration, answers to HTTP callers.
 *
 * <p>Applications add the dependency and configure; they may replace the beans of {@link
 * io.tokenbudget.micronaut.TokenBudgetFactory}. What is optional, HTTP, management, Reactor and LangChain4j, is named by beans
 * that are left out where the application has not got it; nothing else may import it, nor any other framework.
 */
@Configuration
@Requires(condition = Switch.Everything.class)
@NullMarked
package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
