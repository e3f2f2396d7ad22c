/**
 * What {@code @TokenBudget} means, as a suite that every adapter runs. It knows the annotations alone, and so runs beside the
 * agent too. {@link io.tokenbudget.testkit.annotation.AnnotationSuite} is the way in.
 */
@NullMarked
package io.tokenbudget.testkit.annotation;

import org.jspecify.annotations.NullMarked;
