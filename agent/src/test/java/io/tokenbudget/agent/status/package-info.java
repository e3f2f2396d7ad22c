@NullMarked
package io.tokenbudget.agent.status;

import org.jspecify.annotations.NullMarked;
