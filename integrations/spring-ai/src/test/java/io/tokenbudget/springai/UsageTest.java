package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.anthropic.api.AnthropicApi;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.openai.api.OpenAiApi;
import software.amazon.awssdk.services.bedrockruntime.model.TokenUsage;

@DisplayName("C4 usage truth: what Spring AI reports becomes what the provider bills")
class UsageTest {

    private static @Nullable Usage read(org.springframework.ai.chat.metadata.@Nullable Usage reported) {
        ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
        if (reported != null) {
            metadata.usage(reported);
        }
        return new CallState(new Object(), null, null).round(new ChatResponse(List.of(), metadata.build()));
    }

    @Test
    void takesPromptAndCompletion() {
        assertThat(read(new DefaultUsage(100, 10, 110))).isEqualTo(Usage.of(100, 10));
    }

    @Test
    void zeroEmptyOrAbsentUsageIsMissing() {
        assertThat(read(null)).isNull();
        assertThat(read(new EmptyUsage())).isNull();
        assertThat(read(new DefaultUsage(0, 0, 0))).isNull();
        assertThat(new CallState(new Object(), null, null).round(null)).isNull();
    }

    @Test
    void aTotalBeyondPromptAndCompletionIsOutput() {
        assertThat(read(new DefaultUsage(100, 10, 150))).isEqualTo(Usage.of(100, 50));
    }

    @Test
    void aTotalBelowPromptAndCompletionIsNotBelieved() {
        assertThat(read(new DefaultUsage(100, 10, 10))).isEqualTo(Usage.of(100, 10));
    }

    @Test
    void negativeCountsAreNothing() {
        assertThat(read(new DefaultUsage(-1, 10, 10))).isEqualTo(Usage.of(0, 10));
    }

    @Test
    void splitsOpenAisPromptAndCompletion() {
        OpenAiApi.Usage nativeUsage = new OpenAiApi.Usage(
                40,
                100,
                140,
                new OpenAiApi.Usage.PromptTokensDetails(0, 60),
                new OpenAiApi.Usage.CompletionTokenDetails(32, 0, 0, 0));

        assertThat(read(new DefaultUsage(100, 40, 140, nativeUsage))).isEqualTo(new Usage(100, 60, 0, 40, 32));
    }

    @Test
    void openAisUsageWithoutDetailsIsTakenAsItIs() {
        OpenAiApi.Usage nativeUsage = new OpenAiApi.Usage(40, 100, 140);

        assertThat(read(new DefaultUsage(100, 40, 140, nativeUsage))).isEqualTo(Usage.of(100, 40));
    }

    private static ChatResponse chunk(org.springframework.ai.chat.metadata.Usage usage) {
        return new ChatResponse(
                List.of(), ChatResponseMetadata.builder().usage(usage).build());
    }

    @Test
    void theOutputOfAStreamGrowsAlsoWhereTheCacheIsLargerThanAllThatSpringAiCounts() {
        StreamedUsage stream = new StreamedUsage(CallState.Reporting.SUM_OF_ROUNDS);

        stream.read(chunk(new DefaultUsage(29, 3, 32, new AnthropicApi.Usage(29, 3, 503, 2003))));
        stream.read(chunk(new DefaultUsage(29, 211, 240, new AnthropicApi.Usage(29, 211, 503, 2003))));

        assertThat(stream.largest()).isEqualTo(new Usage(2535, 2003, 503, 211, 0));
    }

    @Test
    void bedrocksCacheIsInputWhetherItsTotalCountsItOrNot() {
        TokenUsage cache = new TokenUsage(2011, 509);

        assertThat(read(new DefaultUsage(31, 233, 264, cache))).isEqualTo(new Usage(2551, 2011, 509, 233, 0));
        assertThat(read(new DefaultUsage(31, 233, 2784, cache))).isEqualTo(new Usage(2551, 2011, 509, 233, 0));
        assertThat(read(new DefaultUsage(31, 233, 264, new TokenUsage(null, null))))
                .isEqualTo(Usage.of(31, 233));
    }

    @Test
    void C2_whatBedrockReadFromItsCacheInEarlierRoundsIsNotCountedAgain() {
        StreamedUsage stream = new StreamedUsage(CallState.Reporting.SUM_OF_ROUNDS);
        stream.read(chunk(new DefaultUsage(31, 233, 2784, new TokenUsage(2011, 509))));
        stream.nextRound();

        stream.read(chunk(new DefaultUsage(31, 233, 2784, new TokenUsage(2011, 509))));
        assertThat(stream.largest()).as("nothing new").isNull();
        stream.read(chunk(new DefaultUsage(31 + 7, 233 + 11, 2784 + 2518, new TokenUsage(2011 + 2500, 509))));

        assertThat(stream.largest()).isEqualTo(new Usage(2507, 2500, 0, 11, 0));
    }

    @Test
    void bedrocksCacheIsFoundBesideItsUsageToo() {
        ChatResponseMetadata metadata = ChatResponseMetadata.builder()
                .usage(new DefaultUsage(31, 233, 264))
                .keyValue("cacheReadInputTokens", 2011)
                .build();

        assertThat(new CallState(new Object(), null, null).round(new ChatResponse(List.of(), metadata)))
                .isEqualTo(new Usage(2042, 2011, 0, 233, 0));
    }

    /** As Spring AI 2.0 reports it. */
    public static final class CacheUsage extends DefaultUsage {
        private final Long read;
        private final Long written;

        CacheUsage(int prompt, int completion, int total, long read, long written) {
            super(prompt, completion, total);
            this.read = read;
            this.written = written;
        }

        public Long getCacheReadInputTokens() {
            return read;
        }

        public Long getCacheWriteInputTokens() {
            return written;
        }
    }

    @Test
    void cacheNumbersOfAnUnknownProviderArePartsOfItsPrompt() {
        assertThat(read(new CacheUsage(100, 10, 110, 60, 20))).isEqualTo(new Usage(100, 60, 20, 10, 0));
    }

    @Test
    void cacheNumbersThatOnlyTheTotalIncludesAreInput() {
        assertThat(read(new CacheUsage(100, 10, 190, 60, 20))).isEqualTo(new Usage(180, 60, 20, 10, 0));
    }

    @Test
    void aPartLargerThanItsWholeIsCut() {
        assertThat(read(new CacheUsage(100, 10, 110, 600, 20))).isEqualTo(new Usage(100, 100, 0, 10, 0));
    }
}
