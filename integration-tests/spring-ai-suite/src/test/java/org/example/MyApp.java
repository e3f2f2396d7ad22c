package org.example;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.springai.MeteredModel;
import io.tokenbudget.springai.MeteredObservations;
import io.tokenbudget.springai.MeteredToolCallingManager;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.ai.openai.api.OpenAiApi;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** What docs/spring-ai.md shows, in an application on 1.x. */
public final class MyApp {
    private final ChatClient client;
    private final EmbeddingModel embeddings;

    /** Nothing is asked yet. */
    public MyApp(
            DefaultTokenLimiter limiter,
            ObservationRegistry registry,
            OpenAiApi api,
            OpenAiChatOptions options,
            OpenAiEmbeddingModel openAiEmbeddingModel) {
        Metering metering = new Metering(limiter, Notices.logger()); // one for a process
        CallMeter meter = metering.meter(CallerSource.of(MyApp.class.getClassLoader()), RefusalFactory.OWN);

        ToolCallingManager tools =
                MeteredToolCallingManager.wrap(ToolCallingManager.builder().build(), meter);
        ChatModel model = MeteredChatModel.wrap(
                OpenAiChatModel.builder()
                        .openAiApi(api)
                        .defaultOptions(options)
                        .toolCallingManager(tools)
                        .build(),
                meter);
        ChatClient client = ChatClient.create(model);

        EmbeddingModel embeddings = MeteredModel.wrap(EmbeddingModel.class, openAiEmbeddingModel, meter);

        registry.observationConfig().observationFilter(MeteredObservations.filter(meter));

        this.client = client;
        this.embeddings = embeddings;
    }

    /** The answer to {@code question}, asked by Acme. */
    public Flux<String> answer(String question) {
        Flux<String> answer = client.prompt().user(question).stream()
                .content()
                .contextWrite(Context.of(
                        BudgetContext.KEY,
                        BudgetContext.builder().tenant("acme").build()));
        return answer;
    }

    /** The answer to {@code question}, all rounds of tools in one run. */
    @SuppressWarnings("try") // the scope is only closed
    public @Nullable String inOneRun(String question) {
        BudgetContext run =
                BudgetContext.builder().runId(UUID.randomUUID().toString()).build();
        try (TokenBudgets.Scope scope = TokenBudgets.open(run)) {
            return client.prompt().user(question).call().content();
        }
    }

    /** A vector of {@code text}. */
    public float[] vector(String text) {
        return embeddings.embed(text);
    }
}
