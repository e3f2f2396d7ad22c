package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.TextTokens;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.api.ResponseFormat;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

@DisplayName("C3 estimate: what a prompt will cost")
class EstimateTest {
    private static final String LONG = "The quick brown fox jumps over the lazy dog. ".repeat(20);
    private static final long LONG_TOKENS = TextTokens.estimate(LONG);

    private static final CallMeter METER = Books.unlimited().meter;

    private record Model(@Nullable ChatOptions defaults) implements ChatModel {
        @Override
        @SuppressWarnings("NullAway") // what a careless implementation does
        public ChatOptions getDefaultOptions() {
            return defaults;
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            throw new AssertionError("an estimate calls no model");
        }
    }

    private static ModelCall estimate(
            @Nullable ChatOptions defaults, @Nullable ChatOptions asked, Message... messages) {
        return PromptTokens.estimate(METER, new Model(defaults), List.of(messages), asked);
    }

    private static long input(Message... messages) {
        return estimate(null, null, messages).inputTokens();
    }

    @Test
    void countsEveryKindOfMessage() {
        AssistantMessage call = new AssistantMessage(
                "", Map.of(), List.of(new AssistantMessage.ToolCall("1", "function", "lookup", LONG)));
        ToolResponseMessage answer =
                new ToolResponseMessage(List.of(new ToolResponseMessage.ToolResponse("1", "lookup", LONG)));

        assertThat(List.of(new SystemMessage(LONG), new UserMessage(LONG), new AssistantMessage(LONG), call, answer))
                .allSatisfy(message -> assertThat(input(message)).isBetween(LONG_TOKENS + 1, LONG_TOKENS + 25));
    }

    /** The clients of 1.x keep thoughts to themselves, but for the signatures that Gemini wants back with its calls of tools. */
    @Test
    void countsOfEarlierThoughtsWhatIsSentBack() {
        AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("1", "function", "lookup", "{}");
        byte[] signature = new byte[400];
        Map<String, Object> thoughts =
                Map.of("thoughtSignatures", List.of(signature, signature), "reasoningContent", LONG, "thinking", LONG);

        long plain = input(new AssistantMessage("text", Map.of(), List.of(call)));
        assertThat(input(new AssistantMessage("text", thoughts, List.of(call)))).isEqualTo(plain + 100);
        assertThat(input(new AssistantMessage("text", thoughts, List.of(call, call)))
                        - input(new AssistantMessage("text", Map.of(), List.of(call, call))))
                .isEqualTo(200);
        assertThat(input(new AssistantMessage("text", thoughts))).isEqualTo(input(new AssistantMessage("text")));
    }

    @Test
    void countsMediaByTheFormulaOfTheModelsProvider() throws Exception {
        Media picture = new Media(MimeTypeUtils.IMAGE_PNG, new ByteArrayResource(png(1024, 1024)));
        Media address = new Media(MimeTypeUtils.IMAGE_PNG, URI.create("http://localhost/a.png"));
        Media bytes = new Media(MimeTypeUtils.IMAGE_PNG, new ByteArrayResource(new byte[2_000_000]));
        Media sound = new Media(MimeType.valueOf("audio/mp3"), URI.create("http://localhost/a.mp3"));
        Media document = new Media(MimeType.valueOf("application/pdf"), URI.create("http://localhost/a.pdf"));

        assertThat(medium("gpt-4o", picture)).isEqualTo(765);
        assertThat(medium("claude-sonnet-4-5", picture)).isEqualTo(1369);
        assertThat(medium("gemini-2.0-flash", picture)).isEqualTo(4 * 258);
        assertThat(medium("claude-sonnet-4-5", address))
                .isEqualTo(medium("claude-sonnet-4-5", bytes))
                .isEqualTo(1568);
        assertThat(medium("gemini-2.0-flash", sound)).isEqualTo(60 * 32);
        assertThat(medium("gemini-2.0-flash", document)).isEqualTo(2 * 258);
    }

    private static long medium(String model, Media medium) {
        ChatOptions options = ChatOptions.builder().model(model).build();
        UserMessage with = UserMessage.builder().text("hi").media(medium).build();
        return estimate(null, options, with).inputTokens()
                - estimate(null, options, new UserMessage("hi")).inputTokens();
    }

    private static byte[] png(int width, int height) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_BYTE_BINARY), "png", file);
        return file.toByteArray();
    }

    @Test
    void countsTheSchemaOfTheAnswer() {
        String schema = "{\"type\":\"object\",\"description\":\"" + LONG + "\"}";
        OpenAiChatOptions options = OpenAiChatOptions.builder()
                .responseFormat(ResponseFormat.builder()
                        .type(ResponseFormat.Type.JSON_SCHEMA)
                        .jsonSchema(schema)
                        .build())
                .build();

        long without = estimate(null, null, new UserMessage("hi")).inputTokens();
        assertThat(estimate(null, options, new UserMessage("hi")).inputTokens() - without)
                .isBetween(LONG_TOKENS, LONG_TOKENS + 30);
        assertThat(estimate(options, null, new UserMessage("hi")).inputTokens() - without)
                .isBetween(LONG_TOKENS, LONG_TOKENS + 30);
    }

    @Test
    void countsTheDefinitionsOfTools() {
        ToolCallingChatOptions tools = ToolCallingChatOptions.builder()
                .toolCallbacks(FunctionToolCallback.builder("lookup", ignored -> "")
                        .description(LONG)
                        .inputSchema(LONG)
                        .inputType(Void.class)
                        .build())
                .build();

        long without = estimate(null, null, new UserMessage("hi")).inputTokens();
        assertThat(estimate(null, tools, new UserMessage("hi")).inputTokens() - without)
                .isBetween(2 * LONG_TOKENS, 2 * LONG_TOKENS + 20);
        assertThat(estimate(tools, null, new UserMessage("hi")).inputTokens() - without)
                .as("tools of the model's own options")
                .isBetween(2 * LONG_TOKENS, 2 * LONG_TOKENS + 20);
        ChatOptions others = ChatOptions.builder().temperature(0.5).build();
        assertThat(estimate(tools, others, new UserMessage("hi")).inputTokens() - without)
                .as("tools of the model's own options, where the prompt has others")
                .isBetween(2 * LONG_TOKENS, 2 * LONG_TOKENS + 20);
    }

    @Test
    void countsToolsThatOnlyTheModelResolves() {
        ToolCallingChatOptions names =
                ToolCallingChatOptions.builder().toolNames(Set.of("one", "two")).build();

        long without = estimate(null, null, new UserMessage("hi")).inputTokens();
        assertThat(estimate(null, names, new UserMessage("hi")).inputTokens() - without)
                .isBetween(100L, 300L);
    }

    @Test
    void takesTheBoundOfThePromptBeforeTheModels() {
        ChatOptions hundred =
                ChatOptions.builder().maxTokens(100).model("small").build();
        ChatOptions thousand =
                ChatOptions.builder().maxTokens(1000).model("large").build();
        ChatOptions nothing = ChatOptions.builder().build();

        assertThat(estimate(hundred, thousand))
                .extracting(ModelCall::maxOutputTokens, ModelCall::model)
                .containsExactly(1000, "large");
        assertThat(estimate(hundred, nothing))
                .extracting(ModelCall::maxOutputTokens, ModelCall::model)
                .containsExactly(100, "small");
        assertThat(estimate(hundred, null))
                .extracting(ModelCall::maxOutputTokens, ModelCall::model)
                .containsExactly(100, "small");
        assertThat(estimate(null, null))
                .extracting(ModelCall::maxOutputTokens, ModelCall::model)
                .containsExactly(null, null);
    }

    @Test
    void readsWhatOnlyOpenAiHas() {
        OpenAiChatOptions options = OpenAiChatOptions.builder()
                .model("o3")
                .maxCompletionTokens(700)
                .N(3)
                .build();

        assertThat(estimate(null, options))
                .isEqualTo(new ModelCall("o3", estimate(null, null).inputTokens(), 700, 3));
        assertThat(estimate(options, ChatOptions.builder().build()).answers()).isEqualTo(3);
    }

    @Test
    void aPromptsExplicitlyUnboundedOutputIsNotTheModelsBound() {
        ChatOptions bounded = ChatOptions.builder().maxTokens(100).build();
        ChatOptions unbounded = ChatOptions.builder().maxTokens(-1).build();

        assertThat(estimate(bounded, unbounded).maxOutputTokens()).isEqualTo(-1);
    }

    @Test
    void aModelWhoseOptionsCannotBeReadIsEstimatedAllTheSame() {
        ChatModel broken = new LoopingModel(ToolCallingManager.builder().build(), true) {
            @Override
            public ChatOptions getDefaultOptions() {
                throw new UnsupportedOperationException("no options here");
            }
        };

        assertThat(PromptTokens.estimate(METER, broken, null, null).inputTokens())
                .isPositive();
    }
}
