package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import java.util.List;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Lets a {@link MeteredChatModel} of Spring AI 1.x reserve and settle each round of a tool loop by itself. Give it to the
 * model's builder; 2.0 runs the loop outside the model and does not need it.
 *
 * <p>As thread-safe as the manager it wraps.
 */
public final class MeteredToolCallingManager implements ToolCallingManager {
    private final ToolCallingManager delegate;
    private final SpringAiMeter meter;

    private MeteredToolCallingManager(ToolCallingManager delegate, SpringAiMeter meter) {
        this.delegate = delegate;
        this.meter = meter;
    }

    /**
     * A manager that runs tools as {@code delegate} does.
     *
     * <p>{@link #executeToolCalls} of the result throws a {@link io.tokenbudget.LimitExceededException} after the tools have
     * run if the next round does not fit its budgets.
     */
    public static ToolCallingManager wrap(ToolCallingManager delegate, CallMeter meter) {
        return new MeteredToolCallingManager(delegate, new SpringAiMeter(meter));
    }

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
        return delegate.resolveToolDefinitions(options);
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
        Object opened = meter.openTools(prompt, response);
        ToolExecutionResult result;
        try {
            result = delegate.executeToolCalls(prompt, response);
        } catch (Throwable thrown) {
            meter.closeTools(opened, null, thrown);
            throw thrown;
        }
        RuntimeException refusal = meter.closeTools(opened, result, null);
        if (refusal != null) {
            throw refusal;
        }
        return result;
    }
}
