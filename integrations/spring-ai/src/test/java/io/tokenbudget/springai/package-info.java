/** Tests with Spring AI's own classes. Real HTTP and every version line are in {@code integration-tests}. */
@NullMarked
package io.tokenbudget.springai;

import org.jspecify.annotations.NullMarked;
