/** The page of the accounting matrix. */
@NullMarked
package io.tokenbudget.testkit.matrix;

import org.jspecify.annotations.NullMarked;
