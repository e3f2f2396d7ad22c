/** The page of the accounting matrix. */
@NullMarked
package io.tokenbudget.integrationtests.springai;

import org.jspecify.annotations.NullMarked;
