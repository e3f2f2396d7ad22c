@NullMarked
package io.tokenbudget.aspectj;

import org.jspecify.annotations.NullMarked;
