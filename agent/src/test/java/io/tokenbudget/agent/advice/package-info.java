@NullMarked
package io.tokenbudget.agent.advice;

import org.jspecify.annotations.NullMarked;
