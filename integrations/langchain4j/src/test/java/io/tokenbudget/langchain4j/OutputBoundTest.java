package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C3 estimate: the bound on output")
class OutputBoundTest {
    private static final ChatModel PLAIN = new ChatModel() {};

    @Test
    void isUnknownWhereNothingSaysIt() {
        assertThat(OutputBound.of(PLAIN, null, null)).isNull();
        assertThat(OutputBound.of(PLAIN, common(null), common(null))).isNull();
        assertThat(OutputBound.of(PLAIN, common(0), common(-1))).isNull();
    }

    @Test
    void isNoneWhereTheRequestSaysSoWhateverTheModelSays() {
        assertThat(OutputBound.of(PLAIN, common(-1), common(20))).isNull();
        assertThat(OutputBound.of(PLAIN, common(-2), common(20))).isNull();
        assertThat(OutputBound.of(PLAIN, common(0), common(20))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict"})
    void isAlsoWhatCustomParametersPutIntoTheBody(String name) {
        ChatRequestParameters custom = new WithCustom(Map.of(name, 70));

        assertThat(OutputBound.of(PLAIN, custom, common(20))).isEqualTo(70);
        assertThat(OutputBound.of(PLAIN, common(10), custom)).isEqualTo(10);
    }

    @Test
    void readsHowMuchTheModelMayThink() {
        assertThat(OutputBound.thinking(PLAIN, common(10), null)).isZero();
        assertThat(OutputBound.thinking(PLAIN, new Thinking(), null)).isEqualTo(4096);
        assertThat(OutputBound.thinking(PLAIN, common(10), new Thinking())).isEqualTo(4096);
    }

    /** As Anthropic's parameters are since LangChain4j 1.1. */
    public static final class Thinking extends DefaultChatRequestParameters {
        Thinking() {
            super(ChatRequestParameters.builder());
        }

        public Integer thinkingBudgetTokens() {
            return 4096;
        }
    }

    @Test
    void isTheRequestsBeforeTheModels() {
        assertThat(OutputBound.of(PLAIN, common(10), common(20))).isEqualTo(10);
        assertThat(OutputBound.of(PLAIN, common(null), common(20))).isEqualTo(20);
    }

    @Test
    void isTheLargerOfTheTwoThatOpenAiIsSent() {
        assertThat(OutputBound.of(PLAIN, openAi(null, 30), null)).isEqualTo(30);
        assertThat(OutputBound.of(PLAIN, openAi(10, 30), null)).isEqualTo(30);
        assertThat(OutputBound.of(PLAIN, openAi(40, 30), null)).isEqualTo(40);
    }

    @Test
    void isReadFromTheModelWhereRequestsCannotCarryIt() {
        AnthropicChatModel model = AnthropicChatModel.builder()
                .apiKey("key")
                .modelName("claude")
                .maxTokens(50)
                .build();

        assertThat(OutputBound.of(model, common(null), model.defaultRequestParameters()))
                .isEqualTo(50);
    }

    @Test
    void isNotReadFromModelsOfTheApplication() {
        assertThat(OutputBound.of(new Applications(), null, null)).isNull();
    }

    @Test
    void asksForOneAnswerUnlessCustomParametersSayMore() {
        assertThat(OutputBound.answers(common(10), null)).isEqualTo(1);
        assertThat(OutputBound.answers(new WithCustom(Map.of("n", 3)), null)).isEqualTo(3);
        assertThat(OutputBound.answers(common(10), new WithCustom(Map.of("n", 2))))
                .isEqualTo(2);
        assertThat(OutputBound.answers(new WithCustom(Map.of("n", "many")), null))
                .isEqualTo(1);
    }

    private static ChatRequestParameters common(@Nullable Integer maxOutputTokens) {
        return ChatRequestParameters.builder().maxOutputTokens(maxOutputTokens).build();
    }

    private static ChatRequestParameters openAi(@Nullable Integer maxOutputTokens, int maxCompletionTokens) {
        return OpenAiChatRequestParameters.builder()
                .maxOutputTokens(maxOutputTokens)
                .maxCompletionTokens(maxCompletionTokens)
                .build();
    }

    private static final class Applications implements ChatModel {
        @SuppressWarnings("unused") // would be read by reflection
        private final int maxTokens = 60;
    }

    /** As OpenAiChatRequestParameters is since LangChain4j 1.4. */
    public static final class WithCustom extends DefaultChatRequestParameters {
        private final Map<String, Object> custom;

        WithCustom(Map<String, Object> custom) {
            super(ChatRequestParameters.builder());
            this.custom = custom;
        }

        public Map<String, Object> customParameters() {
            return custom;
        }
    }
}
