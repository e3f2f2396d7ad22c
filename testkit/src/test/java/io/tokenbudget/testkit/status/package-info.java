@NullMarked
package io.tokenbudget.testkit.status;

import org.jspecify.annotations.NullMarked;
