/** Applications with what only Spring Boot 4 has, and what is expected of them. */
@NullMarked
package io.tokenbudget.integrationtests.springboot4;

import org.jspecify.annotations.NullMarked;
