/** Spring AI's clients of every provider, held to docs/usage.md. */
@NullMarked
package io.tokenbudget.integrationtests.usage.springai;

import org.jspecify.annotations.NullMarked;
