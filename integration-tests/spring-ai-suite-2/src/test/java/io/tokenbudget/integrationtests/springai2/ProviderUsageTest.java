package io.tokenbudget.integrationtests.springai2;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.models.messages.MessageDeltaUsage;
import com.openai.models.completions.CompletionUsage;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;

@DisplayName("C3, C4 on Spring AI 2.0: the usage classes of the vendors' SDKs, and options that are taken as they are")
class ProviderUsageTest {
    private static final String SCOPE = "model:test-model";

    private final InProcess inProcess = new InProcess();
    private long heldDuringTheCall;

    private final class Answering implements ChatModel {
        private final Usage usage;

        Answering(Usage usage) {
            this.usage = usage;
        }

        @Override
        public ChatOptions getOptions() {
            return ChatOptions.builder().model("test-model").maxTokens(50).build();
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            heldDuringTheCall = inProcess.budgets().budgets().stream()
                    .filter(entry -> entry.scope().equals(SCOPE) && entry.unit().equals("output tokens"))
                    .mapToLong(entry -> entry.held())
                    .sum();
            return new ChatResponse(
                    List.of(), ChatResponseMetadata.builder().usage(usage).build());
        }
    }

    private void answer(Usage usage, @Nullable ChatOptions options) {
        MeteredChatModel.wrap(new Answering(usage), inProcess.meter()).call(new Prompt("What is it?", options));
    }

    private void assertBooked(long input, long output) {
        assertThat(inProcess.budgets().used(SCOPE, "input tokens")).isEqualTo(input);
        assertThat(inProcess.budgets().used(SCOPE, "output tokens")).isEqualTo(output);
        assertThat(inProcess.notices()).isEmpty();
    }

    @Test
    void anthropicsCacheTokensAreAddedToItsInput() {
        com.anthropic.models.messages.Usage ofAnthropic = com.anthropic.models.messages.Usage.builder()
                .inputTokens(10)
                .outputTokens(20)
                .cacheReadInputTokens(2000)
                .cacheCreationInputTokens(500)
                .cacheCreation(Optional.empty())
                .inferenceGeo(Optional.empty())
                .outputTokensDetails(Optional.empty())
                .serverToolUse(Optional.empty())
                .serviceTier(Optional.empty())
                .build();

        answer(new DefaultUsage(10, 20, 30, ofAnthropic, 2000L, 500L), null);

        assertBooked(2510, 20);
    }

    @Test
    void soAreThoseOfItsStreams() {
        MessageDeltaUsage ofAnthropic = MessageDeltaUsage.builder()
                .inputTokens(10)
                .outputTokens(20)
                .cacheReadInputTokens(2000)
                .cacheCreationInputTokens(500)
                .outputTokensDetails(Optional.empty())
                .serverToolUse(Optional.empty())
                .build();

        answer(new DefaultUsage(10, 20, 30, ofAnthropic, 2000L, 500L), null);

        assertBooked(2510, 20);
    }

    @Test
    void openAisCachedTokensAreNotCountedTwice() {
        CompletionUsage ofOpenAi = CompletionUsage.builder()
                .promptTokens(1000)
                .completionTokens(40)
                .totalTokens(1040)
                .promptTokensDetails(CompletionUsage.PromptTokensDetails.builder()
                        .cachedTokens(900)
                        .build())
                .build();

        answer(new DefaultUsage(1000, 40, 1040, ofOpenAi, 900L, null), null);

        assertBooked(1000, 40);
    }

    @Test
    void aPromptWithoutOptionsHasTheModelsOwnBound() {
        answer(new DefaultUsage(10, 20, 30), null);

        assertThat(heldDuringTheCall).isEqualTo(50);
    }

    @Test
    void theOptionsOfAPromptAreTakenAsTheyAre() {
        answer(
                new DefaultUsage(10, 20, 30),
                ChatOptions.builder().model("test-model").temperature(0.5).build());

        assertThat(heldDuringTheCall).as("default-max-output").isEqualTo(1024);
    }
}
