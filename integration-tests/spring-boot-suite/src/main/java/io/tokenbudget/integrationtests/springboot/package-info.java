/**
 * Spring Boot applications with the starter, as their authors would write them, and what is expected of them. Compiled against
 * Spring Boot 3.5 and Spring AI 1.1, run on every line; only what all of them have may be linked to.
 */
@NullMarked
package io.tokenbudget.integrationtests.springboot;

import org.jspecify.annotations.NullMarked;
