@NullMarked
package io.tokenbudget.agent.boot;

import org.jspecify.annotations.NullMarked;
