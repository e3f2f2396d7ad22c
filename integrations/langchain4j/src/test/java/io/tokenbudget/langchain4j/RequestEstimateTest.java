package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.ImageContent.DetailLevel;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.core.metering.TextTokens;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C3 estimate: what a request will cost")
class RequestEstimateTest {
    private static final String PROSE = "The weather in the town by the sea is mild for most of the year.";
    private static final long PROSE_TOKENS = TextTokens.estimate(PROSE);
    private static final ChatModel PLAIN = new ChatModel() {};
    private static final CallMeter METER = new Budget(1_000_000).meter();

    @Test
    void countsTheTextOfEveryKindOfMessage() {
        assertThat(input(SystemMessage.from(PROSE))).isEqualTo(3 + 4 + PROSE_TOKENS);
        assertThat(input(UserMessage.from(PROSE))).isEqualTo(3 + 4 + PROSE_TOKENS);
        assertThat(input(AiMessage.from(PROSE))).isEqualTo(3 + 4 + PROSE_TOKENS);
        assertThat(input(ToolExecutionResultMessage.from("id", "t", PROSE))).isEqualTo(3 + 4 + 1 + PROSE_TOKENS);
        assertThat(input(CustomMessage.from(Map.of("content", PROSE)))).isGreaterThan(3 + 4 + PROSE_TOKENS);
        assertThat(input(UserMessage.from("ann", PROSE))).isEqualTo(3 + 4 + 1 + PROSE_TOKENS);
    }

    @Test
    void addsUpMessagesWithTheFrameAroundEach() {
        assertThat(input(SystemMessage.from(PROSE), UserMessage.from(PROSE))).isEqualTo(3 + 2 * (4 + PROSE_TOKENS));
    }

    @Test
    void countsTheToolCallsOfEarlierAnswers() {
        ToolExecutionRequest call = ToolExecutionRequest.builder()
                .id("call-1")
                .name("w")
                .arguments(PROSE)
                .build();

        assertThat(input(AiMessage.from(call))).isEqualTo(3 + 4 + 8 + 1 + PROSE_TOKENS);
    }

    @Test
    void countsToolsWithTheirSchemas() {
        ToolSpecification bare =
                ToolSpecification.builder().name("w").description(PROSE).build();
        ToolSpecification full = ToolSpecification.builder()
                .name("w")
                .description(PROSE)
                .parameters(JsonObjectSchema.builder()
                        .addStringProperty("city", PROSE)
                        .required("city")
                        .build())
                .build();

        assertThat(input(request().toolSpecifications(bare))).isEqualTo(userMessage() + 8 + 1 + PROSE_TOKENS);
        assertThat(input(request().toolSpecifications(full))).isGreaterThan(userMessage() + 8 + 1 + 2 * PROSE_TOKENS);
    }

    @Test
    void countsTheSchemaOfTheAnswer() {
        ResponseFormat format = ResponseFormat.builder()
                .type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder()
                        .name("W")
                        .rootElement(JsonObjectSchema.builder()
                                .addStringProperty("city", PROSE)
                                .build())
                        .build())
                .build();

        assertThat(input(request().responseFormat(format))).isGreaterThan(userMessage() + PROSE_TOKENS);
        assertThat(input(request().responseFormat(ResponseFormat.JSON))).isEqualTo(userMessage());
    }

    @Test
    void countsMediaByTheFormulaOfTheModelsProvider() {
        Content picture = ImageContent.from(Pictures.png(1024, 1024), "image/png", DetailLevel.HIGH);
        Content dataUrl = ImageContent.from(URI.create("data:image/png;base64," + Pictures.png(1024, 1024)));

        assertThat(medium("gpt-4o", picture)).isEqualTo(765);
        assertThat(medium("gpt-4o", ImageContent.from(Pictures.png(1024, 1024), "image/png", DetailLevel.LOW)))
                .isEqualTo(85);
        assertThat(medium("claude-sonnet-4-5", picture)).isEqualTo(1369);
        assertThat(medium("gemini-2.0-flash", picture)).isEqualTo(4 * 258);
        assertThat(medium("gemini-2.0-flash", dataUrl)).isEqualTo(4 * 258);
        assertThat(medium("gemini-2.0-flash", AudioContent.from("http://localhost/a.mp3")))
                .isEqualTo(60 * 32);
        assertThat(medium("gemini-2.0-flash", VideoContent.from("http://localhost/a.mp4")))
                .isEqualTo(60 * 263);
        assertThat(medium("claude-sonnet-4-5", PdfFileContent.from("http://localhost/a.pdf")))
                .isEqualTo(6_000);
    }

    @Test
    void assumesALargePictureWhereOnlyAnAddressIsKnownOrNothingCanBeRead() {
        assertThat(medium("claude-sonnet-4-5", ImageContent.from("http://localhost/a.png")))
                .isEqualTo(medium("claude-sonnet-4-5", ImageContent.from("A".repeat(1_000_000), "image/png")))
                .isEqualTo(1568);
    }

    private static long medium(String model, Content content) {
        ChatRequest request = ChatRequest.builder()
                .modelName(model)
                .messages(UserMessage.from(content))
                .build();
        return RequestEstimate.of(METER, PLAIN, request).inputTokens() - 3 - 4;
    }

    @Test
    void countsThinkingWhereTheModelSendsItBack() {
        assertThat(input(new Thinker(true), new Thought())).isEqualTo(3 + 4 + 1 + PROSE_TOKENS);
        assertThat(input(new Thinker(false), new Thought())).isEqualTo(3 + 4 + 1);
        assertThat(input(PLAIN, new Thought())).isEqualTo(3 + 4 + 1 + PROSE_TOKENS);
    }

    @Test
    void countsEveryContentOfAToolResultSinceLangChain4j113() {
        assertThat(input(new RichResult())).isEqualTo(3 + 4 + 1 + PROSE_TOKENS + 1_568);
    }

    @Test
    void takesFromTheModelsDefaultsWhatTheRequestDoesNotSay() {
        ToolSpecification tool = ToolSpecification.builder().name("w").build();
        ChatModel model = withDefaults(ChatRequestParameters.builder()
                .modelName("gpt-4o")
                .maxOutputTokens(70)
                .toolSpecifications(tool)
                .build());

        ModelCall call = RequestEstimate.of(METER, model, request().build());

        assertThat(call.model()).isEqualTo("gpt-4o");
        assertThat(call.maxOutputTokens()).isEqualTo(70);
        assertThat(call.inputTokens()).isEqualTo(userMessage() + 8 + 1);
    }

    @Test
    void prefersWhatTheRequestSays() {
        ChatModel model = withDefaults(ChatRequestParameters.builder()
                .modelName("gpt-4o")
                .maxOutputTokens(70)
                .build());

        ModelCall call = RequestEstimate.of(
                METER, model, request().modelName("o3-mini").maxOutputTokens(20).build());

        assertThat(call.model()).isEqualTo("o3-mini");
        assertThat(call.maxOutputTokens()).isEqualTo(20);
    }

    @Test
    void countsTheRequestAloneIfTheModelHasNoDefaultsToGive() {
        ChatModel model = new ChatModel() {
            @Override
            public ChatRequestParameters defaultRequestParameters() {
                throw new UnsupportedOperationException("none");
            }
        };

        assertThat(RequestEstimate.of(METER, model, request().build()).inputTokens())
                .isEqualTo(userMessage());
        assertThat(RequestEstimate.of(METER, "not a model", request().build()).model())
                .isNull();
    }

    private static ChatModel withDefaults(ChatRequestParameters defaults) {
        return new ChatModel() {
            @Override
            public ChatRequestParameters defaultRequestParameters() {
                return defaults;
            }
        };
    }

    private static ChatRequest.Builder request() {
        return ChatRequest.builder().messages(UserMessage.from(PROSE));
    }

    private static long userMessage() {
        return 3 + 4 + PROSE_TOKENS;
    }

    private static long input(ChatRequest.Builder request) {
        return RequestEstimate.of(METER, PLAIN, request.build()).inputTokens();
    }

    private static long input(ChatMessage... messages) {
        return input(PLAIN, messages);
    }

    private static long input(ChatModel model, ChatMessage... messages) {
        ChatRequest request = ChatRequest.builder().messages(messages).build();
        return RequestEstimate.of(METER, model, request).inputTokens();
    }

    /** As the providers' classes keep it. */
    private static final class Thinker implements ChatModel {
        @SuppressWarnings({"unused", "FieldCanBeLocal"}) // read by reflection
        private final boolean sendThinking;

        Thinker(boolean sendThinking) {
            this.sendThinking = sendThinking;
        }
    }

    /** As AiMessage is since LangChain4j 1.2. */
    public static final class Thought extends AiMessage {
        Thought() {
            super("a");
        }

        public String thinking() {
            return PROSE;
        }
    }

    /** As ToolExecutionResultMessage is since LangChain4j 1.13. */
    public static final class RichResult extends ToolExecutionResultMessage {
        RichResult() {
            super("id", "t", "-");
        }

        @Override
        public String text() {
            throw new IllegalStateException("text() cannot be called when contents contains multiple elements");
        }

        public List<Content> contents() {
            return List.of(TextContent.from(PROSE), ImageContent.from("http://localhost/a.png"));
        }
    }
}
