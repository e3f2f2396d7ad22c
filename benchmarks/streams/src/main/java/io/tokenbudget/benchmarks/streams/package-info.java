/**
 * Programs that show what the agent adds to streamed answers: processor time a chunk, and memory of streams that nobody ends.
 * Run by hand; they are applications like others, so nothing here may touch a class of ours.
 */
@NullMarked
package io.tokenbudget.benchmarks.streams;

import org.jspecify.annotations.NullMarked;
