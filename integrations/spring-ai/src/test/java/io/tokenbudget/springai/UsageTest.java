package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.Usage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.openai.api.OpenAiApi;

@DisplayName("C4 usage truth: what Spring AI reports becomes what the provider bills")
class UsageTest {

    private static @Nullable Usage read(org.springframework.ai.chat.metadata.@Nullable Usage reported) {
        ChatResponseMetadata.Builder metadata = ChatResponseMetadata.builder();
        if (reported != null) {
            metadata.usage(reported);
        }
        return new CallState(new Object(), null).round(new ChatResponse(java.util.List.of(), metadata.build()));
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
        assertThat(new CallState(new Object(), null).round(null)).isNull();
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
