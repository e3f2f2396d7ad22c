package io.tokenbudget.launches.runs;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;

/**
 * The models of one scenario: its name is part of theirs, so that the provider's ledger says which scenario a call was of.
 *
 * @param baseUrl of the provider
 * @param scenario its name
 */
record Models(String baseUrl, String scenario) {
    private static final int BOUND = 20;

    /** More than any budget: a call of it is always refused. */
    private static final int UNAFFORDABLE = 1_000_000;

    ChatModel chat() {
        return chat("ok");
    }

    ChatModel chat(String answers) {
        return chat(answers, BOUND);
    }

    ChatModel refused() {
        return chat("ok", UNAFFORDABLE);
    }

    private ChatModel chat(String answers, int bound) {
        return OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(scenario + "@" + answers)
                .maxTokens(bound)
                .maxRetries(0)
                .build();
    }

    StreamingChatModel streaming(String answers) {
        return OpenAiStreamingChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(scenario + "@" + answers)
                .maxTokens(BOUND)
                .build();
    }

    /** Its answers are as long as the provider likes. */
    StreamingChatModel unbounded(String answers) {
        return OpenAiStreamingChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(scenario + "@" + answers)
                .build();
    }
}
