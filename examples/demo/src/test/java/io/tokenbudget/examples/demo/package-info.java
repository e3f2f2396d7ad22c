/** Tests of the demo's verdict. */
@NullMarked
package io.tokenbudget.examples.demo;

import org.jspecify.annotations.NullMarked;
