/** What applications of the package above inherit from another one. */
@NullMarked
package io.tokenbudget.integrationtests.springboot.elsewhere;

import org.jspecify.annotations.NullMarked;
