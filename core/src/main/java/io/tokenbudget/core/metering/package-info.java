/**
 * One model call metered on one thread of control: what integrations of frameworks are written against.
 *
 * <p>{@link io.tokenbudget.core.metering.CallMeter} opens a {@link io.tokenbudget.core.metering.Frame} around a call.
 * Everything here upholds one promise: a fault of ours never reaches the application, and a refusal always does. It
 * must never import a framework.
 */
@NullMarked
package io.tokenbudget.core.metering;

import org.jspecify.annotations.NullMarked;
