package io.tokenbudget.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.TextTokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request will cost, before it is sent. Reads objects in memory only. What the request does not say is taken
 * from the model's default parameters, as the framework does.
 */
final class RequestEstimate {
    /** Role, name and separators around each message, and what opens the answer. */
    private static final long PER_MESSAGE = 4;

    private static final long PER_REQUEST = 3;
    private static final long PER_TOOL = 8;

    // Flat figures until each provider's own formula is known, on the high side: a picture is at most 1,600 tokens at
    // Anthropic and 765 at OpenAI (whose low detail, which LangChain4j asks for unless told otherwise, others ignore).
    // Gemini bills 32 tokens for a second of sound and 258 for one of video: a minute of each. A PDF is two pages.
    private static final long IMAGE = 1_600;
    private static final long AUDIO = 1_920;
    private static final long VIDEO = 15_480;
    private static final long PDF = 6_000;

    private static final Reflected CONTENTS = Reflected.method("contents");
    private static final Reflected THINKING = Reflected.method("thinking");
    private static final Reflected SEND_THINKING = Reflected.field("sendThinking");

    private RequestEstimate() {}

    static ModelCall of(Object model, ChatRequest request) {
        ChatRequestParameters own = request.parameters();
        ChatRequestParameters defaults = defaultsOf(model);
        long input = PER_REQUEST
                + messages(request.messages(), !Boolean.FALSE.equals(SEND_THINKING.get(model)))
                + tools(own, defaults)
                + responseSchema(own, defaults);
        return new ModelCall(
                modelName(own, defaults),
                input,
                OutputBound.of(model, own, defaults),
                OutputBound.answers(own, defaults));
    }

    /** Tokens of a message without the frame around it, as the model wrote it. */
    static long output(@Nullable AiMessage message) {
        return message == null ? 0 : ai(message, true);
    }

    /** A tool's result if it is one text, else null. */
    static @Nullable String textOf(ToolExecutionResultMessage result) {
        if (!(CONTENTS.get(result) instanceof List<?> contents)) {
            return result.text();
        }
        return contents.size() == 1 && contents.get(0) instanceof TextContent text ? text.text() : null;
    }

    private static @Nullable ChatRequestParameters defaultsOf(Object model) {
        try {
            if (model instanceof StreamingChatModel streaming) {
                return streaming.defaultRequestParameters();
            }
            return model instanceof ChatModel chat ? chat.defaultRequestParameters() : null;
        } catch (RuntimeException applications) {
            // A model of the application's own that has none and says so: the request itself still counts.
            return null;
        }
    }

    private static @Nullable String modelName(
            @Nullable ChatRequestParameters own, @Nullable ChatRequestParameters defaults) {
        String name = own == null ? null : own.modelName();
        return name != null || defaults == null ? name : defaults.modelName();
    }

    private static long messages(List<ChatMessage> messages, boolean sendsThinking) {
        long tokens = 0;
        for (ChatMessage message : messages) {
            tokens += PER_MESSAGE + message(message, sendsThinking);
        }
        return tokens;
    }

    private static long message(ChatMessage message, boolean sendsThinking) {
        if (message instanceof SystemMessage system) {
            return TextTokens.estimate(system.text());
        }
        if (message instanceof UserMessage user) {
            return TextTokens.estimate(user.name()) + contents(user.contents());
        }
        if (message instanceof AiMessage ai) {
            return ai(ai, sendsThinking);
        }
        if (message instanceof ToolExecutionResultMessage result) {
            // Since 1.13 a result may be several contents, and then text() throws.
            long content = CONTENTS.get(result) instanceof List<?> contents
                    ? contents(contents)
                    : TextTokens.estimate(result.text());
            return TextTokens.estimate(result.toolName()) + content;
        }
        if (message instanceof CustomMessage custom) {
            return TextTokens.estimate(custom.attributes().toString());
        }
        return message == null ? 0 : TextTokens.estimate(message.toString());
    }

    private static long ai(AiMessage message, boolean withThinking) {
        long tokens = TextTokens.estimate(message.text());
        if (withThinking && THINKING.get(message) instanceof String thinking) {
            tokens += TextTokens.estimate(thinking);
        }
        if (message.toolExecutionRequests() != null) {
            for (ToolExecutionRequest call : message.toolExecutionRequests()) {
                tokens += PER_TOOL + TextTokens.estimate(call.name()) + TextTokens.estimate(call.arguments());
            }
        }
        return tokens;
    }

    private static long contents(@Nullable List<?> contents) {
        long tokens = 0;
        if (contents != null) {
            for (Object content : contents) {
                tokens += content instanceof Content known ? content(known) : 0;
            }
        }
        return tokens;
    }

    private static long content(Content content) {
        if (content instanceof TextContent text) {
            return TextTokens.estimate(text.text());
        }
        if (content instanceof AudioContent) {
            return AUDIO;
        }
        if (content instanceof VideoContent) {
            return VIDEO;
        }
        return content instanceof PdfFileContent ? PDF : IMAGE;
    }

    private static long tools(@Nullable ChatRequestParameters own, @Nullable ChatRequestParameters defaults) {
        List<ToolSpecification> tools = own == null ? null : own.toolSpecifications();
        if ((tools == null || tools.isEmpty()) && defaults != null) {
            tools = defaults.toolSpecifications();
        }
        long tokens = 0;
        if (tools != null) {
            for (ToolSpecification tool : tools) {
                tokens += PER_TOOL
                        + TextTokens.estimate(tool.name())
                        + TextTokens.estimate(tool.description())
                        + TextTokens.estimate(SchemaText.of(tool.parameters()));
            }
        }
        return tokens;
    }

    private static long responseSchema(@Nullable ChatRequestParameters own, @Nullable ChatRequestParameters defaults) {
        ResponseFormat format = own == null ? null : own.responseFormat();
        if (format == null && defaults != null) {
            format = defaults.responseFormat();
        }
        if (format == null || format.jsonSchema() == null) {
            return 0;
        }
        return PER_TOOL
                + TextTokens.estimate(format.jsonSchema().name())
                + TextTokens.estimate(SchemaText.of(format.jsonSchema().rootElement()));
    }
}
