package io.tokenbudget.core.config;

import java.util.List;

/**
 * A configuration from all its sources. Immutable.
 *
 * @param settings what is in force
 * @param values every setting with its source, in the order of the reference
 * @param warnings what was left out and may have been meant, and what only code can bring to life, one line each
 */
public record LoadedSettings(Settings settings, List<EffectiveValue> values, List<String> warnings) {}
