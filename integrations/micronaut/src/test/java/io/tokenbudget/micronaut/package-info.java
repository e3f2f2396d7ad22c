@NullMarked
package io.tokenbudget.micronaut;

import org.jspecify.annotations.NullMarked;
