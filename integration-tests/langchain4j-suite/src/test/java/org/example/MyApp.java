package org.example;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.langchain4j.MeteredChatModel;
import io.tokenbudget.langchain4j.MeteredModel;
import io.tokenbudget.langchain4j.MeteredStreamingChatModel;
import java.util.UUID;

/** What docs/langchain4j.md shows, in an application. */
public final class MyApp {
    /** Answers questions. */
    public interface Assistant {
        /** The answer to {@code question}. */
        String answer(String question);
    }

    /** What the assistant may call. */
    static final class Tools {
        @Tool("Tells the weather")
        String weather(String city) {
            return "mild in " + city;
        }
    }

    /** The models, metered. */
    public final Assistant assistant;

    /** Streams. */
    public final StreamingChatModel streaming;

    /** Makes vectors. */
    public final EmbeddingModel embeddings;

    /** Nothing is asked yet. */
    public MyApp(DefaultTokenLimiter limiter, String key, EmbeddingModel openAiEmbeddingModel) {
        Metering metering = new Metering(limiter, Notices.logger()); // one for a process
        CallMeter meter = metering.meter(CallerSource.of(MyApp.class.getClassLoader()), RefusalFactory.OWN);

        ChatModel model = MeteredChatModel.wrap(
                OpenAiChatModel.builder()
                        .apiKey(key)
                        .modelName("gpt-4o-mini")
                        .maxTokens(500)
                        .build(),
                meter);
        Assistant assistant = AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(new Tools())
                .build();

        StreamingChatModel streaming = MeteredStreamingChatModel.wrap(
                OpenAiStreamingChatModel.builder()
                        .apiKey(key)
                        .modelName("gpt-4o-mini")
                        .build(),
                meter);

        EmbeddingModel embeddings = MeteredModel.wrap(EmbeddingModel.class, openAiEmbeddingModel, meter);

        this.assistant = assistant;
        this.streaming = streaming;
        this.embeddings = embeddings;
    }

    /** The answer to {@code question}, all rounds of tools in one run. */
    @SuppressWarnings("try") // the scope is only closed
    public String answer(String question) {
        BudgetContext run =
                BudgetContext.builder().runId(UUID.randomUUID().toString()).build();
        try (TokenBudgets.Scope scope = TokenBudgets.open(run)) {
            return assistant.answer(question);
        }
    }
}
