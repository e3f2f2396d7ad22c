/**
 * Methods with {@code @TokenBudget} for applications that weave with AspectJ: at load time by the {@code META-INF/aop.xml} of
 * this artifact, or when they are compiled.
 */
@NullMarked
package io.tokenbudget.aspectj;

import org.jspecify.annotations.NullMarked;
