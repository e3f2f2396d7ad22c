package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.OutputCounter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;

/**
 * Counts the output of one stream as its model counts: text, reasoning and the calls of tools. Not thread-safe: a stream's chunks come one after
 * the other.
 */
final class StreamedOutput {
    private static final List<String> REASONING = List.of("reasoningContent", "thinking");
    private static final Getter REASONING_OF_MESSAGE = new Getter("getReasoningContent");

    private final CallMeter meter;
    private final Object model;
    private final @Nullable ChatOptions options;
    private @Nullable OutputCounter counter;
    private String reasoned = "";

    /** @param options of the prompt, or null if it has none */
    StreamedOutput(CallMeter meter, Object model, @Nullable ChatOptions options) {
        this.meter = meter;
        this.model = model;
        this.options = options;
    }

    /** By how many tokens the estimate of the whole has grown. */
    long add(@Nullable ChatResponse chunk) {
        List<Generation> generations = chunk == null ? null : chunk.getResults();
        long tokens = 0;
        if (generations != null) {
            for (Generation generation : generations) {
                AssistantMessage message = generation == null ? null : generation.getOutput();
                if (message != null) {
                    tokens += counter().add(message.getText());
                    tokens += counter().add(newReasoning(generation, message));
                    if (message.hasToolCalls()) {
                        tokens += PromptTokens.toolCalls(meter.tokens(modelName()), message);
                    }
                }
            }
        }
        return tokens;
    }

    private OutputCounter counter() {
        if (counter == null) {
            counter = meter.output(modelName());
        }
        return counter;
    }

    private @Nullable String modelName() {
        return CallOptions.of(model, options).model();
    }

    /** Some chunks carry a new piece of the reasoning, those of OpenAI in 2.0 all of it so far. */
    private @Nullable String newReasoning(Generation generation, AssistantMessage message) {
        String reasoning = reasoning(generation, message);
        if (reasoning == null || reasoning.isEmpty() || reasoning.equals(reasoned)) {
            return null;
        }
        String piece = reasoning.startsWith(reasoned) ? reasoning.substring(reasoned.length()) : reasoning;
        reasoned = reasoning;
        return piece;
    }

    private static @Nullable String reasoning(Generation generation, AssistantMessage message) {
        for (String key : REASONING) {
            if (message.getMetadata().get(key) instanceof String text) {
                return text;
            }
            if (generation.getMetadata() != null && generation.getMetadata().get(key) instanceof String text) {
                return text;
            }
        }
        return REASONING_OF_MESSAGE.get(message) instanceof String text ? text : null;
    }
}
