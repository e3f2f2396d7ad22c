package io.tokenbudget.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
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
import io.tokenbudget.core.estimates.MediaData;
import io.tokenbudget.core.estimates.RequestTokens;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.OutputCounter;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request will cost, before it is sent. Reads objects in memory only. What the request does not say is taken
 * from the model's default parameters, as the framework does. Not thread-safe: one for a request.
 */
final class RequestEstimate {
    /** Role, name and separators around each message, and what opens the answer: as OpenAI counts its own format. */
    private static final long PER_MESSAGE = 4;

    private static final long PER_REQUEST = 3;
    private static final long PER_TOOL = 8;

    private static final Reflected CONTENTS = Reflected.method("contents");
    private static final Reflected THINKING = Reflected.method("thinking");
    private static final Reflected SEND_THINKING = Reflected.field("sendThinking");

    private final RequestTokens tokens;

    private RequestEstimate(RequestTokens tokens) {
        this.tokens = tokens;
    }

    static ModelCall of(CallMeter meter, Object model, ChatRequest request) {
        ChatRequestParameters own = request.parameters();
        ChatRequestParameters defaults = defaultsOf(model);
        String name = modelName(own, defaults);
        RequestEstimate estimate = new RequestEstimate(meter.tokens(name));
        long input = PER_REQUEST
                + estimate.messages(request.messages(), !Boolean.FALSE.equals(SEND_THINKING.get(model)))
                + estimate.tools(own, defaults)
                + estimate.responseSchema(own, defaults);
        return new ModelCall(
                name,
                input,
                OutputBound.of(model, own, defaults),
                OutputBound.answers(own, defaults),
                OutputBound.thinking(model, own, defaults));
    }

    /** Tokens of a message without the frame around it, as the model wrote it. */
    static long output(@Nullable AiMessage message, OutputCounter counter) {
        long tokens = message == null ? 0 : counter.add(message.text());
        if (message != null && THINKING.get(message) instanceof String thinking) {
            tokens += counter.add(thinking);
        }
        if (message != null && message.toolExecutionRequests() != null) {
            for (ToolExecutionRequest call : message.toolExecutionRequests()) {
                tokens += PER_TOOL + counter.add(call.name()) + counter.add(call.arguments());
            }
        }
        return tokens;
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

    private long messages(List<ChatMessage> messages, boolean sendsThinking) {
        long sum = 0;
        for (ChatMessage message : messages) {
            sum += PER_MESSAGE + message(message, sendsThinking);
        }
        return sum;
    }

    private long message(ChatMessage message, boolean sendsThinking) {
        if (message instanceof SystemMessage system) {
            return tokens.text(system.text());
        }
        if (message instanceof UserMessage user) {
            return tokens.text(user.name()) + contents(user.contents());
        }
        if (message instanceof AiMessage ai) {
            return ai(ai, sendsThinking);
        }
        if (message instanceof ToolExecutionResultMessage result) {
            // Since 1.13 a result may be several contents, and then text() throws.
            long content =
                    CONTENTS.get(result) instanceof List<?> contents ? contents(contents) : tokens.text(result.text());
            return tokens.text(result.toolName()) + content;
        }
        if (message instanceof CustomMessage custom) {
            return tokens.text(custom.attributes().toString());
        }
        return message == null ? 0 : tokens.text(message.toString());
    }

    private long ai(AiMessage message, boolean withThinking) {
        long sum = tokens.text(message.text());
        if (withThinking && THINKING.get(message) instanceof String thinking) {
            sum += tokens.text(thinking);
        }
        if (message.toolExecutionRequests() != null) {
            for (ToolExecutionRequest call : message.toolExecutionRequests()) {
                sum += PER_TOOL + tokens.text(call.name()) + tokens.text(call.arguments());
            }
        }
        return sum;
    }

    private long contents(@Nullable List<?> contents) {
        long sum = 0;
        if (contents != null) {
            for (Object content : contents) {
                sum += content instanceof Content known ? content(known) : 0;
            }
        }
        return sum;
    }

    private long content(Content content) {
        if (content instanceof TextContent text) {
            return tokens.text(text.text());
        }
        if (content instanceof ImageContent image && image.image() != null) {
            MediaData picture = data(image.image().base64Data(), image.image().url());
            return tokens.image(picture, String.valueOf(image.detailLevel()));
        }
        if (content instanceof AudioContent sound && sound.audio() != null) {
            return tokens.audio(data(sound.audio().base64Data(), sound.audio().url()));
        }
        if (content instanceof VideoContent film && film.video() != null) {
            return tokens.video(data(film.video().base64Data(), film.video().url()));
        }
        if (content instanceof PdfFileContent document && document.pdfFile() != null) {
            return tokens.pdf(
                    data(document.pdfFile().base64Data(), document.pdfFile().url()));
        }
        return tokens.image(null, null);
    }

    /** What is known of a medium without fetching it. */
    private static @Nullable MediaData data(@Nullable String base64, @Nullable URI url) {
        if (base64 != null && !base64.isEmpty()) {
            return MediaData.ofBase64(base64);
        }
        return url == null ? null : MediaData.ofUrl(url.toString());
    }

    private long tools(@Nullable ChatRequestParameters own, @Nullable ChatRequestParameters defaults) {
        List<ToolSpecification> tools = own == null ? null : own.toolSpecifications();
        if ((tools == null || tools.isEmpty()) && defaults != null) {
            tools = defaults.toolSpecifications();
        }
        long sum = 0;
        if (tools != null) {
            for (ToolSpecification tool : tools) {
                sum += PER_TOOL
                        + tokens.text(tool.name())
                        + tokens.text(tool.description())
                        + tokens.text(SchemaText.of(tool.parameters()));
            }
        }
        return sum;
    }

    private long responseSchema(@Nullable ChatRequestParameters own, @Nullable ChatRequestParameters defaults) {
        ResponseFormat format = own == null ? null : own.responseFormat();
        if (format == null && defaults != null) {
            format = defaults.responseFormat();
        }
        if (format == null || format.jsonSchema() == null) {
            return 0;
        }
        return PER_TOOL
                + tokens.text(format.jsonSchema().name())
                + tokens.text(SchemaText.of(format.jsonSchema().rootElement()));
    }
}
