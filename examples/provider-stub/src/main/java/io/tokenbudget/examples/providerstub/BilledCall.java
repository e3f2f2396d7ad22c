package io.tokenbudget.examples.providerstub;

/**
 * One request as the provider's ledger has it.
 *
 * @param key the API key it came with, empty if none
 * @param model the model's name
 * @param scenario what the stub did
 * @param streamed whether a stream was asked for
 * @param status the HTTP status; 0 if no answer was sent
 * @param promptTokens billed tokens received, cached ones included
 * @param cachedTokens the cached part of {@code promptTokens}
 * @param completionTokens billed tokens produced, reasoning included
 * @param reasoningTokens the reasoning part of {@code completionTokens}
 * @param totalTokens prompt and completion
 * @param billed whether it is on the bill; if not, all counts are 0
 */
public record BilledCall(
        String key,
        String model,
        String scenario,
        boolean streamed,
        int status,
        long promptTokens,
        long cachedTokens,
        long completionTokens,
        long reasoningTokens,
        long totalTokens,
        boolean billed) {

    static BilledCall of(ModelRequest request, String scenario, int status, TokenCount cost) {
        return new BilledCall(
                request.key(),
                request.model(),
                scenario,
                request.stream(),
                status,
                cost.input(),
                cost.cachedInput(),
                cost.output(),
                cost.reasoning(),
                cost.total(),
                cost.total() > 0);
    }
}
