package io.tokenbudget.integrationtests.springboot;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** An application with models of its own around Spring AI's, and with listeners that misbehave when they are told to. */
@SpringBootConfiguration
@EnableAutoConfiguration
class FinalModels {
    /** What a listener of the application does. */
    enum Misbehaving {
        NO,
        SWITCHING_OFF,
        THROWING_WHEN_ASKED,
        THROWING_AT_START,
        THROWING_AT_THE_END
    }

    /** What listens to all observations of models, and notes how each ends. */
    static final class Listener implements ObservationPredicate, ObservationHandler<ChatModelObservationContext> {
        final List<String> told = new CopyOnWriteArrayList<>();
        volatile Misbehaving misbehaving = Misbehaving.NO;

        @Override
        public boolean test(String name, Observation.Context context) {
            if (!(context instanceof ChatModelObservationContext)) {
                return true;
            }
            throwIf(Misbehaving.THROWING_WHEN_ASKED);
            return misbehaving != Misbehaving.SWITCHING_OFF;
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof ChatModelObservationContext;
        }

        @Override
        public void onStart(ChatModelObservationContext context) {
            told.add("start");
            throwIf(Misbehaving.THROWING_AT_START);
        }

        @Override
        public void onScopeOpened(ChatModelObservationContext context) {
            told.add("scope");
        }

        @Override
        public void onScopeClosed(ChatModelObservationContext context) {
            told.add("scope closed");
        }

        @Override
        public void onError(ChatModelObservationContext context) {
            told.add("error");
        }

        @Override
        public void onStop(ChatModelObservationContext context) {
            told.add("stop");
            throwIf(Misbehaving.THROWING_AT_THE_END);
        }

        private void throwIf(Misbehaving what) {
            if (misbehaving == what) {
                throw new IllegalStateException("a listener of the application, " + what);
            }
        }
    }

    /** A model of the application's own. Nothing can extend it, and it has a registry as Spring AI's have. */
    static final class Own implements ChatModel {
        @SuppressWarnings("unused")
        private final ObservationRegistry registry;

        private final BiFunction<ChatModel, Prompt, ChatResponse> way;
        private final BiFunction<ChatModel, Prompt, Flux<ChatResponse>> streamed;
        private final ChatModel model;

        Own(
                ObservationRegistry registry,
                ChatModel model,
                BiFunction<ChatModel, Prompt, ChatResponse> way,
                BiFunction<ChatModel, Prompt, Flux<ChatResponse>> streamed) {
            this.registry = registry;
            this.model = model;
            this.way = way;
            this.streamed = streamed;
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            return way.apply(model, prompt);
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return streamed.apply(model, prompt);
        }

        @Override
        public ChatOptions getDefaultOptions() {
            return model.getDefaultOptions();
        }

        /** Overrides what 2.0 has instead. */
        public ChatOptions getOptions() {
            return model.getDefaultOptions();
        }
    }

    @Bean
    Listener listener() {
        return new Listener();
    }

    /** Asks three times, as one that votes does; what it answers is its own. */
    @Bean(defaultCandidate = false)
    ChatModel voting(OpenAiChatModel model, ObservationRegistry registry) {
        return new Own(
                registry,
                model,
                (asked, prompt) -> {
                    asked.call(prompt);
                    asked.call(prompt);
                    return answer(Objects.requireNonNull(
                            asked.call(prompt).getResult().getOutput().getText()));
                },
                (asked, prompt) -> Flux.concat(asked.stream(prompt), asked.stream(prompt), asked.stream(prompt)));
    }

    /** Finds fault with what its model answered. */
    @Bean(defaultCandidate = false)
    ChatModel failing(OpenAiChatModel model, ObservationRegistry registry) {
        return new Own(
                registry,
                model,
                (asked, prompt) -> {
                    asked.call(prompt);
                    throw new IllegalStateException("not what was asked for");
                },
                (asked, prompt) ->
                        asked.stream(prompt).concatWith(Flux.error(new IllegalStateException("not what was asked"))));
    }

    /** Asks on a thread of a pool. */
    @Bean(defaultCandidate = false)
    ChatModel elsewhere(OpenAiChatModel model, ObservationRegistry registry) {
        return new Own(
                registry,
                model,
                (asked, prompt) -> {
                    BudgetContext caller = TokenBudgets.current();
                    return CompletableFuture.supplyAsync(() -> {
                                try (TokenBudgets.Scope open = TokenBudgets.open(caller)) {
                                    Objects.requireNonNull(open);
                                    return asked.call(prompt);
                                }
                            })
                            .join();
                },
                (asked, prompt) -> asked.stream(prompt).subscribeOn(Schedulers.boundedElastic()));
    }

    /** Known by its interface alone, as Spring Boot knows it from the class of the factory. */
    static final class Factory implements FactoryBean<ChatModel> {
        private final OpenAiChatModel model;
        private final ObservationRegistry registry;

        Factory(OpenAiChatModel model, ObservationRegistry registry) {
            this.model = model;
            this.registry = registry;
        }

        @Override
        public ChatModel getObject() {
            return new Own(
                    registry,
                    model,
                    (asked, prompt) ->
                            new ChatResponse(Arrays.asList(asked.call(prompt).getResult())),
                    (asked, prompt) -> asked.stream(prompt));
        }

        @Override
        public Class<?> getObjectType() {
            return ChatModel.class;
        }
    }

    @Bean(defaultCandidate = false)
    Factory fromFactory(OpenAiChatModel model, ObservationRegistry registry) {
        return new Factory(model, registry);
    }

    /** Known by its class, so that nothing can take its place. */
    @Bean(defaultCandidate = false)
    Own byClass(ObservationRegistry registry, OpenAiChatModel model) {
        return new Own(registry, model, (asked, prompt) -> answer("by itself"), (asked, prompt) -> Flux.empty());
    }

    /** A model of Spring AI's that the application declares by its interface and knows by its class all the same. */
    @Bean(defaultCandidate = false)
    ChatModel byInterface(OpenAiChatModel model) {
        return model;
    }

    @Bean
    @DependsOn("byInterface")
    String usesByClass(@Qualifier("byInterface") OpenAiChatModel injected, @Qualifier("byInterface") ChatModel cast) {
        return injected.getDefaultOptions().getModel()
                + ((OpenAiChatModel) cast).getDefaultOptions().getModel();
    }

    private static ChatResponse answer(String text) {
        return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
    }
}
