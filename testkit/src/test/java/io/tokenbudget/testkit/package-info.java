@NullMarked
package io.tokenbudget.testkit;

import org.jspecify.annotations.NullMarked;
