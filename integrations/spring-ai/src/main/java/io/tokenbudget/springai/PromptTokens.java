package io.tokenbudget.springai;

import io.tokenbudget.core.estimates.MediaData;
import io.tokenbudget.core.estimates.RequestTokens;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.ModelCall;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Estimates tokens of what is sent and of what came back, from what is in memory. Never calls the
 * network. Not thread-safe: one for a prompt.
 */
final class PromptTokens {
    private static final int EACH_PROMPT = 3;
    private static final int EACH_MESSAGE = 4;
    private static final int EACH_TOOL_CALL = 8;
    private static final int EACH_TOOL = 10;

    /** A tool of which only the name is known before the model looks it up. */
    private static final int UNRESOLVED_TOOL = 100;

    private static final Getter MIME_TYPE = new Getter("getMimeType");

    private final RequestTokens tokens;

    private PromptTokens(RequestTokens tokens) {
        this.tokens = tokens;
    }

    /** The call that {@code model} will make of these messages. */
    static ModelCall estimate(
            CallMeter meter,
            Object model,
            @Nullable List<? extends Message> messages,
            @Nullable ChatOptions requested) {
        CallOptions options = CallOptions.of(model, requested);
        PromptTokens prompt = new PromptTokens(meter.tokens(options.model()));
        long input = EACH_PROMPT
                + prompt.messages(messages)
                + prompt.tools(options.tools())
                + unresolved(options.unresolvedTools())
                + prompt.schema(options.answerSchema());
        return new ModelCall(
                options.model(), input, options.maxOutputTokens(), options.answers(), options.thinkingTokens());
    }

    /** Output tokens of an answer whose usage is not known, as its model counts. */
    static long output(RequestTokens counter, @Nullable ChatResponse response) {
        long tokens = 0;
        List<Generation> generations = response == null ? null : response.getResults();
        if (generations != null) {
            for (Generation generation : generations) {
                AssistantMessage message = generation == null ? null : generation.getOutput();
                if (message != null) {
                    tokens += counter.text(message.getText()) + toolCalls(counter, message);
                }
            }
        }
        return tokens;
    }

    private long messages(@Nullable List<? extends Message> messages) {
        long sum = 0;
        if (messages != null) {
            for (Message message : messages) {
                sum += message == null ? 0 : message(message);
            }
        }
        return sum;
    }

    private long message(Message message) {
        long sum = EACH_MESSAGE + tokens.text(message.getText());
        if (message instanceof MediaContent content) {
            sum += media(content.getMedia());
        }
        if (message instanceof AssistantMessage assistant) {
            sum += sentBack(assistant);
        }
        if (message instanceof ToolResponseMessage answers && answers.getResponses() != null) {
            for (ToolResponseMessage.ToolResponse answer : answers.getResponses()) {
                sum += EACH_MESSAGE + tokens.text(answer.name()) + tokens.text(answer.responseData());
            }
        }
        return sum;
    }

    /** Tokens of the thoughts and the calls of tools in an earlier answer. */
    private long sentBack(AssistantMessage message) {
        return SentThoughts.tokens(tokens, message) + toolCalls(tokens, message);
    }

    private long media(@Nullable Collection<Media> media) {
        long sum = 0;
        if (media != null) {
            for (Media medium : media) {
                sum += medium == null ? 0 : tokens.medium(String.valueOf(MIME_TYPE.get(medium)), data(medium));
            }
        }
        return sum;
    }

    /** What is known of a medium without fetching it: bytes, or a URL, which may carry them. */
    private static @Nullable MediaData data(Media medium) {
        Object data = medium.getData();
        if (data instanceof byte[] bytes) {
            return MediaData.of(bytes);
        }
        return data instanceof String url ? MediaData.ofUrl(url) : null;
    }

    private long schema(@Nullable String schema) {
        return schema == null ? 0 : EACH_TOOL + tokens.text(schema);
    }

    /** Tokens of the calls of tools that {@code message} asks for. */
    static long toolCalls(RequestTokens counter, AssistantMessage message) {
        long tokens = 0;
        List<AssistantMessage.ToolCall> calls = message.getToolCalls();
        if (calls != null) {
            for (AssistantMessage.ToolCall call : calls) {
                tokens += EACH_TOOL_CALL + counter.text(call.name()) + counter.text(call.arguments());
            }
        }
        return tokens;
    }

    private long tools(List<ToolCallback> tools) {
        long sum = 0;
        for (ToolCallback tool : tools) {
            ToolDefinition definition = tool == null ? null : tool.getToolDefinition();
            if (definition != null) {
                sum += EACH_TOOL
                        + tokens.text(definition.name())
                        + tokens.text(definition.description())
                        + tokens.text(definition.inputSchema());
            }
        }
        return sum;
    }

    private static long unresolved(Collection<?> names) {
        return (long) UNRESOLVED_TOOL * size(names);
    }

    private static int size(@Nullable Collection<?> collection) {
        return collection == null ? 0 : collection.size();
    }
}
