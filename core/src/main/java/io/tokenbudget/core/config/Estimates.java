package io.tokenbudget.core.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much output to reserve where the request does not say.
 *
 * @param defaultMaxOutput tokens, positive
 * @param modelMaxOutput tokens by glob on the model name, in the order of the file; the first match counts
 */
public record Estimates(long defaultMaxOutput, Map<String, Long> modelMaxOutput) {
    /** 1024 tokens for every model. */
    public static final Estimates DEFAULT = new Estimates(1024, Map.of());

    /** The output to reserve for a model whose request does not bound it. */
    public long maxOutput(@Nullable String model) {
        if (model != null) {
            for (Map.Entry<String, Long> entry : modelMaxOutput.entrySet()) {
                if (Glob.matches(entry.getKey(), model)) {
                    return entry.getValue();
                }
            }
        }
        return defaultMaxOutput;
    }
}
