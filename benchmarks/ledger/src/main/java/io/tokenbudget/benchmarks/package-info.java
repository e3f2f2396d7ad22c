/**
 * Benchmarks, run by hand: {@code docs/performance.md} has the commands and the figures. Nothing here is published or
 * imported by other modules.
 */
@NullMarked
package io.tokenbudget.benchmarks;

import org.jspecify.annotations.NullMarked;
