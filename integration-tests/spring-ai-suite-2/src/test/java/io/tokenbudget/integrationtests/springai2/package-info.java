/** What only 2.0's own classes can show. */
@NullMarked
package io.tokenbudget.integrationtests.springai2;

import org.jspecify.annotations.NullMarked;
