/**
 * What a configuration file says, as immutable values, and the reader that makes them from YAML.
 *
 * <p>{@link io.tokenbudget.core.config.Settings} is the one model that every way in (YAML file, starters, builders)
 * produces. Nothing here keeps budgets or counts anything.
 */
@NullMarked
package io.tokenbudget.core.config;

import org.jspecify.annotations.NullMarked;
