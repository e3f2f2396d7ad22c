package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.tokenbudget.core.metering.Frame;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C8 refusals are final: refusals that became the result of a tool")
class SwallowedRefusalsTest {
    private static final UserMessage QUESTION = UserMessage.from("what is new?");
    private static final AiMessage CALL = AiMessage.from(
            ToolExecutionRequest.builder().id("1").name("ask").arguments("{}").build());

    private final Budget budget = new Budget(20_000);
    private final LangChain4jMeter meter = new LangChain4jMeter(budget.meter());
    private final RuntimeException refusal = refuse();
    private final String message = String.valueOf(refusal.getMessage());

    @Test
    void endTheRunAtItsNextRound() {
        assertThat(open(QUESTION, CALL, result(message))).isSameAs(refusal);
        assertThat(open(QUESTION, CALL, result("java.lang.RuntimeException: " + message)))
                .isSameAs(refusal);
        assertThat(open(QUESTION, CALL, result(message), result("mild"))).isSameAs(refusal);
        assertThat(budget.held()).isZero();
    }

    @Test
    void areFoundByEveryModelOfTheSameApplication() {
        Frame frame = new LangChain4jMeter(budget.meter()).open(this, request(QUESTION, CALL, result(message)));

        assertThat(frame.refusal()).isSameAs(refusal);
    }

    @Test
    void areNotSeenWhereThereAreNone() {
        assertThat(open(QUESTION, CALL, result("mild"))).isNull();
        assertThat(open(QUESTION, CALL, result("x".repeat(4_096) + message))).isNull();
        assertThat(open(UserMessage.from(message))).isNull();
    }

    @Test
    void endNoLaterRunThatStillRemembersThem() {
        UserMessage next = UserMessage.from("and now?");

        assertThat(open(QUESTION, CALL, result(message), next)).isNull();
        assertThat(open(QUESTION, CALL, result(message), next, CALL, result("mild")))
                .isNull();
    }

    /** Larger than the whole budget. */
    private RuntimeException refuse() {
        Frame frame = meter.open(this, request(UserMessage.from("word ".repeat(50_000))));
        RuntimeException refused = frame.refusal();
        if (refused == null) {
            throw new AssertionError("not refused");
        }
        return refused;
    }

    private @Nullable RuntimeException open(ChatMessage... messages) {
        Frame frame = meter.open(this, request(messages));
        meter.close(frame, null, new IllegalStateException("not sent"));
        return frame.refusal();
    }

    private static ChatRequest request(ChatMessage... messages) {
        return ChatRequest.builder().messages(messages).build();
    }

    private static ToolExecutionResultMessage result(String text) {
        return ToolExecutionResultMessage.from("1", "ask", text);
    }
}
