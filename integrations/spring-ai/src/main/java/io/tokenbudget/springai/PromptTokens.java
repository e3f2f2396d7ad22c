package io.tokenbudget.springai;

import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.TextTokens;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Estimates tokens of what is sent and of what came back, from its text alone. Stateless; never calls the network. */
final class PromptTokens {
    private static final int EACH_PROMPT = 3;
    private static final int EACH_MESSAGE = 4;
    private static final int EACH_TOOL_CALL = 8;
    private static final int EACH_TOOL = 10;

    /** A tool of which only the name is known before the model looks it up. */
    private static final int UNRESOLVED_TOOL = 100;

    /** An image, a page or a minute of sound alike: about a large image of GPT-4o or Claude. */
    private static final int EACH_MEDIUM = 1000;

    private PromptTokens() {}

    /** The call that {@code model} will make of these messages. */
    static ModelCall estimate(
            Object model, @Nullable List<? extends Message> messages, @Nullable ChatOptions requested) {
        CallOptions options = CallOptions.of(model, requested);
        long input = EACH_PROMPT + messages(messages) + tools(options.tools()) + unresolved(options.unresolvedTools());
        return new ModelCall(options.model(), input, options.maxOutputTokens(), options.answers());
    }

    /** Output tokens of an answer whose usage is not known. */
    static long output(@Nullable ChatResponse response) {
        long tokens = 0;
        List<Generation> generations = response == null ? null : response.getResults();
        if (generations != null) {
            for (Generation generation : generations) {
                AssistantMessage message = generation == null ? null : generation.getOutput();
                if (message != null) {
                    tokens += TextTokens.estimate(message.getText()) + toolCalls(message);
                }
            }
        }
        return tokens;
    }

    private static long messages(@Nullable List<? extends Message> messages) {
        long tokens = 0;
        if (messages != null) {
            for (Message message : messages) {
                tokens += message == null ? 0 : message(message);
            }
        }
        return tokens;
    }

    private static long message(Message message) {
        long tokens = EACH_MESSAGE + TextTokens.estimate(message.getText());
        if (message instanceof MediaContent content) {
            tokens += (long) EACH_MEDIUM * size(content.getMedia());
        }
        if (message instanceof AssistantMessage assistant) {
            tokens += toolCalls(assistant);
        }
        if (message instanceof ToolResponseMessage answers && answers.getResponses() != null) {
            for (ToolResponseMessage.ToolResponse answer : answers.getResponses()) {
                tokens +=
                        EACH_MESSAGE + TextTokens.estimate(answer.name()) + TextTokens.estimate(answer.responseData());
            }
        }
        return tokens;
    }

    /** Tokens of the calls of tools that {@code message} asks for. */
    static long toolCalls(AssistantMessage message) {
        long tokens = 0;
        List<AssistantMessage.ToolCall> calls = message.getToolCalls();
        if (calls != null) {
            for (AssistantMessage.ToolCall call : calls) {
                tokens += EACH_TOOL_CALL + TextTokens.estimate(call.name()) + TextTokens.estimate(call.arguments());
            }
        }
        return tokens;
    }

    private static long tools(List<ToolCallback> tools) {
        long tokens = 0;
        for (ToolCallback tool : tools) {
            ToolDefinition definition = tool == null ? null : tool.getToolDefinition();
            if (definition != null) {
                tokens += EACH_TOOL
                        + TextTokens.estimate(definition.name())
                        + TextTokens.estimate(definition.description())
                        + TextTokens.estimate(definition.inputSchema());
            }
        }
        return tokens;
    }

    private static long unresolved(Collection<?> names) {
        return (long) UNRESOLVED_TOOL * size(names);
    }

    private static int size(@Nullable Collection<?> collection) {
        return collection == null ? 0 : collection.size();
    }
}
