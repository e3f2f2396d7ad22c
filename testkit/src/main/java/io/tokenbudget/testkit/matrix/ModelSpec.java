package io.tokenbudget.testkit.matrix;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The model that a cell calls.
 *
 * @param provider whose format it speaks
 * @param baseUrl the provider's address without a path
 * @param apiKey tells the cells apart in the provider's ledger
 * @param modelName tells them apart in ours, and says after its last slash what the provider does
 * @param maxOutputTokens the bound on output that each request carries; null: none
 * @param retries how often the framework itself repeats a failed attempt
 * @param timeout how long the framework waits for an answer
 */
public record ModelSpec(
        Provider provider,
        String baseUrl,
        String apiKey,
        String modelName,
        @Nullable Integer maxOutputTokens,
        int retries,
        Duration timeout) {

    ModelSpec withRetries(int other) {
        return new ModelSpec(provider, baseUrl, apiKey, modelName, maxOutputTokens, other, timeout);
    }

    ModelSpec withTimeout(Duration other) {
        return new ModelSpec(provider, baseUrl, apiKey, modelName, maxOutputTokens, retries, other);
    }

    /** The same without a bound on output. */
    public ModelSpec withoutBound() {
        return withBound(null);
    }

    ModelSpec withBound(@Nullable Integer other) {
        return new ModelSpec(provider, baseUrl, apiKey, modelName, other, retries, timeout);
    }

    ModelSpec withBaseUrl(String other) {
        return new ModelSpec(provider, other, apiKey, modelName, maxOutputTokens, retries, timeout);
    }
}
