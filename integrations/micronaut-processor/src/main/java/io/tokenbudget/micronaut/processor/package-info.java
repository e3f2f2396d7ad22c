/**
 * What Micronaut's annotation processor runs while it compiles an application with {@code @TokenBudget}.
 *
 * <p>It belongs on the annotation processor path and never on the class path of a running application; it must not import
 * anything of ours, for it knows the annotation by its name.
 */
@NullMarked
package io.tokenbudget.micronaut.processor;

import org.jspecify.annotations.NullMarked;
