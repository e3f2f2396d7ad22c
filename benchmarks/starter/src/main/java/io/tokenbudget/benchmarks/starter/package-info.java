/** What the Spring Boot starter costs. */
@NullMarked
package io.tokenbudget.benchmarks.starter;

import org.jspecify.annotations.NullMarked;
