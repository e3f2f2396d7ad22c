package io.tokenbudget;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says whom the model calls inside a method belong to, and what one run of it may use.
 *
 * <p>The annotation opens a context for the dynamic extent of the method; it never charges by itself while a model call
 * inside is metered. Texts may contain templates: {@code {param}} is the value of the parameter with that name,
 * {@code {param.property}} a property of it. An empty text says nothing. On a type it applies to all its methods, for those who
 * call them, and not for what an object calls of itself while one of them runs.
 *
 * <p>The agent reads it on methods of classes, private, static and final ones too, on what they override or implement, and on
 * interfaces that LangChain4j makes services and agents of; the Spring Boot starter and the Micronaut module on methods of
 * beans, the AspectJ module on methods that are woven. What a method returns as a {@code CompletionStage}, {@code
 * Mono}, {@code Flux} or {@code TokenStream} goes on in the same run.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface TokenBudget {

    /** The agent's name. */
    String agent() default "";

    /** The tenant. */
    String tenant() default "";

    /** The user. */
    String user() default "";

    /** The project. */
    String project() default "";

    /** The workspace. */
    String workspace() default "";

    /** The tool that this method is. */
    String tool() default "";

    /** The plan whose multiplier applies. */
    String plan() default "";

    /** The run; generated if empty. */
    String runId() default "";

    /** What makes repeats of this run recognisable. */
    String idempotencyKey() default "";

    /** The most tokens one run may use; {@link Long#MAX_VALUE} for no ceiling. */
    long maxTokens() default Long.MAX_VALUE;

    /**
     * The most money one run may use, such as {@code $0.50}; empty for no ceiling. Calls of models of which the configuration has
     * no price are refused, unless it says {@code unknown-price: ignore}.
     */
    String maxCost() default "";

    /**
     * Tokens to hold for the whole run before it begins, at most {@link #maxTokens}; calls inside draw from them, and what is
     * left goes back when the run ends. The method is not called if a limit refuses them. Zero holds nothing up front.
     */
    long reserve() default 0;

    /**
     * Limits declared in code, such as {@code 20 requests per 1h}, on the narrowest scope that the annotation names.
     * The configuration wins over them.
     */
    String[] limits() default {};

    /**
     * The name of a method of the same class to call instead when a limit refuses, with the same parameters, or with a
     * {@link LimitExceededException} after them. Empty to let the exception through.
     */
    String fallback() default "";
}
