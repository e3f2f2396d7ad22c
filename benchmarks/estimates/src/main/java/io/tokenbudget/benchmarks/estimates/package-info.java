/**
 * Programs that show how good and how fast estimates are, and that make the weights they are calibrated with. Run by hand;
 * nothing depends on this module, and it uses of ours only what {@code core} has public.
 */
@NullMarked
package io.tokenbudget.benchmarks.estimates;

import org.jspecify.annotations.NullMarked;
