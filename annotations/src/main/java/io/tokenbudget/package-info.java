/**
 * The public API of Token Budget: what application code compiles against.
 *
 * <p>Everything here may be used by applications. Nothing here may import anything but the JDK, so that this artifact
 * can sit on any class path beside any framework version; the limiter behind the interfaces lives in
 * {@code token-budget-core}.
 */
@NullMarked
package io.tokenbudget;

import org.jspecify.annotations.NullMarked;
