@NullMarked
package io.tokenbudget.agent;

import org.jspecify.annotations.NullMarked;
