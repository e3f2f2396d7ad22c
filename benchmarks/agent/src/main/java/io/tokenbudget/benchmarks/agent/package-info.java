/**
 * What the agent costs an application that knows nothing of it, run by hand: {@code docs/performance.md} has the
 * commands and the figures. Must never import anything of ours.
 */
@NullMarked
package io.tokenbudget.benchmarks.agent;

import org.jspecify.annotations.NullMarked;
