package io.tokenbudget.examples.providerstub;

/**
 * One request as the provider's ledger has it.
 *
 * @param api the interface it came by, such as {@code openai-chat}
 * @param key the API key it came with, empty if none
 * @param model the model's name
 * @param scenario what the stub did
 * @param streamed whether a stream was asked for
 * @param status the HTTP status; 0 if no answer was sent
 * @param promptTokens billed tokens received, cached ones included
 * @param cachedTokens the part of {@code promptTokens} that came from a cache
 * @param cacheWriteTokens the part of {@code promptTokens} that was written to a cache
 * @param completionTokens billed tokens produced, reasoning included
 * @param reasoningTokens the reasoning part of {@code completionTokens}
 * @param totalTokens prompt and completion
 * @param billed whether it is on the bill; if not, all counts are 0
 * @param chunks how many events with content a stream has sent
 * @param clientLeft whether the client closed the connection before its answer was complete
 */
public record BilledCall(
        String api,
        String key,
        String model,
        String scenario,
        boolean streamed,
        int status,
        long promptTokens,
        long cachedTokens,
        long cacheWriteTokens,
        long completionTokens,
        long reasoningTokens,
        long totalTokens,
        boolean billed,
        int chunks,
        boolean clientLeft) {

    /** The same, left by its client. */
    BilledCall left() {
        return new BilledCall(
                api,
                key,
                model,
                scenario,
                streamed,
                status,
                promptTokens,
                cachedTokens,
                cacheWriteTokens,
                completionTokens,
                reasoningTokens,
                totalTokens,
                billed,
                chunks,
                true);
    }
}
