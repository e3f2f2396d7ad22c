@NullMarked
package io.tokenbudget.agent.cli;

import org.jspecify.annotations.NullMarked;
