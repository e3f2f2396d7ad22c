package io.tokenbudget.core.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How requests are estimated.
 *
 * @param exact whether short texts are counted with the model's vocabulary, where it is known
 * @param defaultMaxOutput tokens to reserve where the request does not say, positive
 * @param modelMaxOutput the same by glob on the model name, in the order of the file; the first match counts
 */
public record Estimates(boolean exact, long defaultMaxOutput, Map<String, Long> modelMaxOutput) {
    /** Exact where that can be, and 1024 tokens of output for every model. */
    public static final Estimates DEFAULT = new Estimates(true, 1024, Map.of());

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
