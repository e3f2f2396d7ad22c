package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.inprocess.Snapshots;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Micronaut: model beans are metered however they are injected, over real HTTP")
class ModelBeansTest {
    private static final List<Map<String, Object>> ROWS = List.of(
            Map.of("scope", "model", "limits", List.of("1M tokens per 1h")),
            Map.of("scope", "agent", "limits", List.of("1M tokens per 1h")),
            Map.of("scope", "tenant:small", "limits", List.of("1 tokens per 1h")));

    private final ProviderStub stub = ProviderStub.start(0);
    private final CopyOnWriteArrayList<String> notices = new CopyOnWriteArrayList<>();
    private final Notices heard = notices::add;
    private final ApplicationContext context = ApplicationContext.builder(
                    Map.of("models", "on", "stub", stub.baseUrl() + "/v1", "token-budget.budgets", ROWS))
            .singletons(heard)
            .start();

    @AfterEach
    void stop() {
        context.close();
        stub.close();
    }

    interface TwiceAsked extends ChatModel {
        default String twice(String question) {
            return chat(question) + chat(question);
        }
    }

    @Factory
    @Requires(property = "models")
    static class Models {
        private final String url;

        Models(@Value("${stub}") String url) {
            this.url = url;
        }

        @Singleton
        @Named("plain")
        ChatModel plain() {
            return chat("plain");
        }

        @Singleton
        @Named("other")
        ChatModel other() {
            return chat("other");
        }

        @Singleton
        StreamingChatModel streaming() {
            return OpenAiStreamingChatModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName("streaming")
                    .build();
        }

        @Singleton
        EmbeddingModel embedding() {
            return OpenAiEmbeddingModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName("embedding")
                    .maxRetries(0)
                    .build();
        }

        @Singleton
        @Named("by-class")
        OpenAiChatModel byClass() {
            return chat("by-class");
        }

        @Bean(typed = ChatModel.class)
        @Singleton
        @Named("typed")
        OpenAiChatModel typed() {
            return chat("typed");
        }

        @Singleton
        @Named("own")
        TwiceAsked own() {
            ChatModel chat = chat("own");
            return new TwiceAsked() {
                @Override
                public ChatResponse doChat(ChatRequest request) {
                    return chat.chat(request);
                }

                @Override
                public ChatRequestParameters defaultRequestParameters() {
                    return chat.defaultRequestParameters();
                }
            };
        }

        private OpenAiChatModel chat(String name) {
            return OpenAiChatModel.builder()
                    .baseUrl(url)
                    .apiKey("test")
                    .modelName(name)
                    .maxRetries(0)
                    .build();
        }

        @Singleton
        Assistant assistant(@Named("plain") ChatModel chat, StreamingChatModel streaming) {
            return AiServices.builder(Assistant.class)
                    .chatModel(chat)
                    .streamingChatModel(streaming)
                    .build();
        }
    }

    interface Assistant {
        @TokenBudget(agent = "assistant")
        String answer(String question);

        @TokenBudget(agent = "streaming-assistant")
        TokenStream stream(String question);
    }

    private long used(String scope) {
        return Snapshots.of(context.getBean(Metering.class).report()).used(scope, "tokens");
    }

    private ChatModel chat(String name) {
        return context.getBean(ChatModel.class, Qualifiers.byName(name));
    }

    private void assertBookedAsBilled(String model) {
        long billed = stub.ledger().billed("test").totalTokens();
        assertThat(billed).isPositive();
        assertThat(used("model:" + model)).isEqualTo(billed);
    }

    @Test
    void aBeanOfAnInterfaceIsMetered() {
        String unused = chat("plain").chat("Hello");
        assertBookedAsBilled("plain");
    }

    @Test
    void eachOfSeveralIsMetered() {
        String unused = chat("other").chat("Hello");
        assertBookedAsBilled("other");
    }

    @Test
    void aBeanThatIsExposedByAnInterfaceIsMetered() {
        String unused = chat("typed").chat("Hello");
        assertBookedAsBilled("typed");
    }

    @Test
    void aBeanOfAnInterfaceOfTheApplicationsOwnIsMetered() {
        String unused = context.getBean(TwiceAsked.class).twice("Hello");
        assertBookedAsBilled("own");
    }

    @Test
    void embeddingsAreMetered() {
        assertThat(context.getBean(EmbeddingModel.class)
                        .embed("Hello")
                        .content()
                        .dimension())
                .isPositive();
        assertBookedAsBilled("embedding");
    }

    @Test
    @DisplayName("C9: what is injected by its class works, is named when the context starts, and is not metered")
    void whatIsInjectedByItsClassIsNamed() {
        assertThat(notices)
                .singleElement()
                .asString()
                .contains("not metered")
                .contains(OpenAiChatModel.class.getName())
                .contains("let the factory's method return the interface");
        String unused = context.getBean(OpenAiChatModel.class).chat("Hello");
        assertThat(stub.ledger().billed("test").totalTokens()).isPositive();
        assertThat(used("model:by-class")).isZero();
        assertThat(notices).hasSize(1);
    }

    @Test
    void aRefusalReachesWhoCalls() {
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant("small").build())) {
            assertThat(open).isNotNull();
            assertThatThrownBy(() -> chat("plain").chat("Hello")).isInstanceOf(LimitExceededException.class);
        }
        assertThat(stub.ledger().billed("test").totalTokens()).isZero();
    }

    @Test
    @DisplayName("An AI service's interface has its own annotations")
    void anAiServiceHasItsAnnotations() throws Exception {
        Assistant assistant = context.getBean(Assistant.class);
        String unused = assistant.answer("Hello");
        assertThat(used("agent:assistant"))
                .isEqualTo(stub.ledger().billed("test").totalTokens());
        CompletableFuture<Object> done = new CompletableFuture<>();
        assistant.stream("Hello")
                .onPartialResponse(text -> {})
                .onCompleteResponse(done::complete)
                .onError(done::completeExceptionally)
                .start();
        assertThat(done.get()).isNotNull();
        assertThat(used("agent:")).isEqualTo(stub.ledger().billed("test").totalTokens());
        assertThat(used("agent:streaming-assistant")).isPositive();
    }

    @Test
    void theLimiterIsABeanAndTheProcesss() {
        assertThat(context.getBean(TokenLimiter.class)).isSameAs(TokenBudgets.limiter());
    }
}
