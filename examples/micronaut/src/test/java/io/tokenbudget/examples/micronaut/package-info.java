@NullMarked
package io.tokenbudget.examples.micronaut;

import org.jspecify.annotations.NullMarked;
