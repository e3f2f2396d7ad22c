/** An application's own, in a package that is not ours. */
@NullMarked
package io.tokenbudget.application;

import org.jspecify.annotations.NullMarked;
