@NullMarked
package io.tokenbudget.core.estimates;

import org.jspecify.annotations.NullMarked;
