package io.tokenbudget.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;

/** Throws the refusal at whoever waits for a response and hears of nothing else: see {@link WaitingCallers}. */
final class RefusedResponse extends ChatResponse {
    private final RuntimeException refusal;

    RefusedResponse(RuntimeException refusal) {
        super(ChatResponse.builder().aiMessage(AiMessage.from("refused")));
        this.refusal = refusal;
    }

    /** What it throws. */
    RuntimeException refusal() {
        return refusal;
    }

    @Override
    public AiMessage aiMessage() {
        throw refusal;
    }

    @Override
    public ChatResponseMetadata metadata() {
        throw refusal;
    }
}
