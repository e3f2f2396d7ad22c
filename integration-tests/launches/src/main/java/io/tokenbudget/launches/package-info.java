/**
 * Small applications that launch tests start with the agent. They know nothing of Token Budget, and say so on their
 * first line: what of ours their class loader can see.
 */
@NullMarked
package io.tokenbudget.launches;

import org.jspecify.annotations.NullMarked;
