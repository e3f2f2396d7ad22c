/**
 * The ledger of one process.
 *
 * <p>Users reach it through {@link io.tokenbudget.core.TokenLimiters}; nothing else here is meant for them. It imports
 * {@code io.tokenbudget.core.spi} and the public API, and must never import configuration or metering.
 */
@NullMarked
package io.tokenbudget.core.memory;

import org.jspecify.annotations.NullMarked;
