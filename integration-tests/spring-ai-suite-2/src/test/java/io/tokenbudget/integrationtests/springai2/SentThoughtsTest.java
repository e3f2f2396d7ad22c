package io.tokenbudget.integrationtests.springai2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.integrationtests.springai.Generation;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.testkit.inprocess.InProcess;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;

@Tag("thoughts")
@DisplayName("C3: thoughts that the clients of 2.0 send back are estimated")
class SentThoughtsTest {
    private static final String THOUGHTS = "The quick brown fox jumps over the lazy dog. ".repeat(20);
    private static final long TOKENS = 200;
    private static final String NOTHING = "";

    private final ProviderStub stub = ProviderStub.start(0);
    private final InProcess inProcess = new InProcess();
    private int models;

    @AfterEach
    void stopProvider() {
        stub.close();
    }

    /** What is booked for a conversation whose provider tells no usage: the estimate. */
    private long estimate(Provider provider, Map<String, Object> metadata) {
        String name = "model-" + ++models + "/zero-usage";
        ModelSpec spec = new ModelSpec(provider, stub.baseUrl(), "key", name, 100, 0, Duration.ofSeconds(20));
        ChatModel model = MeteredChatModel.wrap(
                Generation.present().model(spec, ToolCallingManager.builder().build()), inProcess.meter());
        model.call(new Prompt(
                new UserMessage("What will the weather be like?"),
                AssistantMessage.builder().content("Mild.").properties(metadata).build(),
                new UserMessage("And on Monday?")));
        return inProcess.budgets().used("model:" + name, "input tokens");
    }

    private long ofThoughts(Provider provider, Map<String, Object> metadata) {
        return estimate(provider, metadata) - estimate(provider, Map.of());
    }

    private static Object block(String thinking, String signature) throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName(
                        "org.springframework.ai.anthropic.AnthropicChatModel$AnthropicThinkingContent")
                .getDeclaredConstructor(String.class, String.class, String.class);
        constructor.setAccessible(true);
        return constructor.newInstance(thinking, signature, null);
    }

    @Test
    void openAisReasoningIsCountedAsText() {
        assertThat(ofThoughts(Provider.OPENAI, Map.of("reasoningContent", THOUGHTS)))
                .isBetween(TOKENS - 20, TOKENS + 20);
    }

    @Test
    void anthropicsThinkingIsCountedAsTextOrByItsSignatureWhichIsLonger() throws Exception {
        String key = "anthropicThinkingContents";

        assertThat(ofThoughts(Provider.ANTHROPIC, Map.of(key, List.of(block(THOUGHTS, NOTHING)))))
                .isBetween(TOKENS, TOKENS * 4 / 3);
        assertThat(ofThoughts(Provider.ANTHROPIC, Map.of(key, List.of(block("short", "x".repeat(4000))))))
                .isEqualTo(750);
    }

    @Test
    void whatOthersKeepIsNotCounted() {
        assertThat(ofThoughts(Provider.OPENAI, Map.of("thinking", THOUGHTS))).isZero();
    }
}
