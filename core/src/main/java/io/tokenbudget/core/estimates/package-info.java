/**
 * How many tokens a request will be, before it is sent: text by a vocabulary or by calibrated length, media by the
 * provider's formula, corrected for each model by what the provider reported of earlier calls.
 *
 * <p>{@code metering} owns one {@link io.tokenbudget.core.estimates.ModelEstimates}; integrations count through what it
 * gives them. Nothing here knows a framework, calls the network or waits for anything; jtokkit may be missing at run time.
 */
@NullMarked
package io.tokenbudget.core.estimates;

import org.jspecify.annotations.NullMarked;
