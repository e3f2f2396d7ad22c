package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.OutputCounter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an answer says that it cost, in one convention for all providers.
 *
 * @param usage null if the provider did not say what the input was; then the estimate of the input stands
 * @param output output tokens, reported or counted; read only where {@code usage} is null
 */
record UsageReading(@Nullable Usage usage, long output) {

    /**
     * Reads {@code response}; a missing number is counted where it can be, and zero means missing: of the output where the
     * answer says anything.
     *
     * @param counter counts as the model would
     */
    static UsageReading of(@Nullable ChatResponse response, Supplier<OutputCounter> counter) {
        if (response == null) {
            return new UsageReading(null, 0);
        }
        TokenUsage reported = response.metadata() == null ? null : response.tokenUsage();
        ReportedNumbers numbers = reported == null ? ReportedNumbers.NONE : ReportedNumbers.of(reported);
        long output =
                numbers.output() > 0 ? numbers.output() : RequestEstimate.output(response.aiMessage(), counter.get());
        long input = numbers.input() > 0 ? numbers.input() : numbers.total() - output;
        if (input <= 0) {
            return new UsageReading(null, output);
        }
        return new UsageReading(numbers.usage(input, output), output);
    }
}
