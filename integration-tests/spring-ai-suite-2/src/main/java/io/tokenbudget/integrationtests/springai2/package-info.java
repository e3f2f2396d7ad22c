/** How Spring AI 2.0 builds its models, for the suite beside this module; compiled against 2.0 because 1.x has none of it. */
@NullMarked
package io.tokenbudget.integrationtests.springai2;

import org.jspecify.annotations.NullMarked;
