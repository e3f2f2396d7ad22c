package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.OutputCounter;
import io.tokenbudget.core.metering.TextTokens;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C4 usage truth: what an answer cost")
class UsageReadingTest {
    private static final String TEXT = "Mild, with a light wind from the west.";
    private static final long COUNTED = TextTokens.estimate(TEXT);

    @Test
    void readsInputAndOutput() {
        assertThat(usage(new TokenUsage(100, 20))).isEqualTo(Usage.of(100, 20));
    }

    @Test
    void countsTheAnswerWhereUsageIsMissing() {
        assertMissing(null, COUNTED);
        assertMissing(new TokenUsage(), COUNTED);
        assertThat(UsageReading.of(null, OutputCounter::new).usage()).isNull();
    }

    @Test
    void takesZeroForMissing() {
        assertMissing(new TokenUsage(0, 0), COUNTED);
        assertMissing(new TokenUsage(0, 0, 0), COUNTED);
    }

    @Test
    void keepsTheOutputThatIsReportedWithoutInput() {
        assertMissing(new TokenUsage(null, 20), 20);
        assertMissing(new TokenUsage(0, 20), 20);
    }

    @Test
    void countsTheOutputThatIsNotReported() {
        assertThat(usage(new TokenUsage(100, null, null))).isEqualTo(Usage.of(100, COUNTED));
    }

    @Test
    void C4_countsTheOutputThatIsReportedAsZeroWhereThereIsSome() {
        assertThat(usage(new TokenUsage(100, 0))).isEqualTo(Usage.of(100, COUNTED));
        assertThat(usage(new TokenUsage(100, 0, 100))).isEqualTo(Usage.of(100, COUNTED));
        assertThat(usage(new TokenUsage(100, 0, 120))).isEqualTo(Usage.of(100, 20));
        assertThat(usage(new TokenUsage(100, null, 100))).isEqualTo(Usage.of(100, COUNTED));
    }

    @Test
    void believesAnAnswerOfNoTokensThatSaysNothing() {
        ChatResponse silent = ChatResponse.builder()
                .aiMessage(AiMessage.from(""))
                .tokenUsage(new TokenUsage(100, 0))
                .build();

        assertThat(UsageReading.of(silent, OutputCounter::new).usage()).isEqualTo(Usage.of(100, 0));
    }

    @Test
    void splitsATotal() {
        assertThat(usage(new TokenUsage(null, 20, 120))).isEqualTo(Usage.of(100, 20));
        assertThat(usage(new TokenUsage(100, null, 120))).isEqualTo(Usage.of(100, 20));
        assertThat(usage(new TokenUsage(null, null, 120))).isEqualTo(Usage.of(120 - COUNTED, COUNTED));
    }

    @Test
    void findsOpenAisCachedAndReasoningTokensInsideItsCounts() {
        TokenUsage openAi = OpenAiTokenUsage.builder()
                .inputTokenCount(100)
                .inputTokensDetails(OpenAiTokenUsage.InputTokensDetails.builder()
                        .cachedTokens(80)
                        .build())
                .outputTokenCount(20)
                .outputTokensDetails(OpenAiTokenUsage.OutputTokensDetails.builder()
                        .reasoningTokens(15)
                        .build())
                .totalTokenCount(120)
                .build();

        assertThat(usage(openAi)).isEqualTo(new Usage(100, 80, 0, 20, 15));
        assertThat(usage(OpenAiTokenUsage.builder()
                        .inputTokenCount(100)
                        .outputTokenCount(20)
                        .totalTokenCount(120)
                        .build()))
                .isEqualTo(Usage.of(100, 20));
    }

    @Test
    void addsAnthropicsCacheTokensToItsInput() {
        TokenUsage anthropic = AnthropicTokenUsage.builder()
                .inputTokenCount(10)
                .outputTokenCount(20)
                .cacheCreationInputTokens(500)
                .cacheReadInputTokens(2000)
                .build();

        assertThat(usage(anthropic)).isEqualTo(new Usage(2510, 2000, 500, 20, 0));
        assertThat(usage(anthropic)).extracting(Usage::total).isEqualTo(2530L);
    }

    @Test
    void addsBedrocksCacheTokensToItsInput() {
        assertThat(usage(new BedrockLike())).isEqualTo(new Usage(2510, 2000, 500, 20, 0));
    }

    @Test
    void addsGeminisThoughtsToItsOutput() {
        assertThat(usage(new TokenUsage(100, 20, 150))).isEqualTo(Usage.of(100, 50));
        assertThat(usage(new GeminiLike(150))).isEqualTo(new Usage(100, 40, 0, 50, 30));
        assertThat(usage(new GeminiLike(null))).isEqualTo(new Usage(100, 40, 0, 50, 30));
    }

    @Test
    void addsWhatGooglesToolsHaveSentToItsInput() {
        assertThat(usage(new GeminiLike(150 + 71))).isEqualTo(new Usage(171, 40, 0, 50, 30));
    }

    @Test
    void neverLetsAPartExceedItsWhole() {
        TokenUsage wrong = OpenAiTokenUsage.builder()
                .inputTokenCount(100)
                .inputTokensDetails(OpenAiTokenUsage.InputTokensDetails.builder()
                        .cachedTokens(180)
                        .build())
                .outputTokenCount(20)
                .outputTokensDetails(OpenAiTokenUsage.OutputTokensDetails.builder()
                        .reasoningTokens(25)
                        .build())
                .build();

        assertThat(usage(wrong)).isEqualTo(new Usage(100, 100, 0, 20, 20));
        assertThat(usage(new TokenUsage(-5, -5))).isNull();
    }

    @Test
    void countsToolCallsInTheAnswer() {
        AiMessage calls = AiMessage.from(ToolExecutionRequest.builder()
                .id("call-1")
                .name("w")
                .arguments(TEXT)
                .build());

        assertThat(UsageReading.of(ChatResponse.builder().aiMessage(calls).build(), OutputCounter::new)
                        .output())
                .isEqualTo(8 + 1 + COUNTED);
    }

    private static void assertMissing(@Nullable TokenUsage reported, long output) {
        assertThat(UsageReading.of(response(reported), OutputCounter::new)).isEqualTo(new UsageReading(null, output));
    }

    private static @Nullable Usage usage(TokenUsage reported) {
        return UsageReading.of(response(reported), OutputCounter::new).usage();
    }

    private static ChatResponse response(@Nullable TokenUsage reported) {
        return ChatResponse.builder()
                .aiMessage(AiMessage.from(TEXT))
                .tokenUsage(reported)
                .build();
    }

    /** As BedrockTokenUsage is since LangChain4j 1.11: cache tokens beside the input and outside the total. */
    public static final class BedrockLike extends TokenUsage {
        BedrockLike() {
            super(10, 20, 30);
        }

        public Integer cacheWriteInputTokens() {
            return 500;
        }

        public Integer cacheReadInputTokens() {
            return 2000;
        }
    }

    /** As GoogleAiGeminiTokenUsage is in LangChain4j 1.19: thoughts outside the output and inside the total. */
    public static final class GeminiLike extends TokenUsage {
        GeminiLike(@Nullable Integer total) {
            super(100, 20, total);
        }

        public Integer cachedContentTokenCount() {
            return 40;
        }

        public Integer thoughtsTokenCount() {
            return 30;
        }
    }
}
