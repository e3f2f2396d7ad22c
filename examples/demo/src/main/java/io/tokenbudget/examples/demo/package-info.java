/**
 * What the demo script cannot do with a shell alone: ask over HTTP, fetch, and compare two accounts.
 *
 * <p>Knows nothing of Token Budget but the JSON that it answers, so that the comparison is one of a stranger.
 */
@NullMarked
package io.tokenbudget.examples.demo;

import org.jspecify.annotations.NullMarked;
