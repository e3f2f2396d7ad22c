/** Tests of the page and the recorded answers alone. */
@NullMarked
package io.tokenbudget.integrationtests.usage;

import org.jspecify.annotations.NullMarked;
