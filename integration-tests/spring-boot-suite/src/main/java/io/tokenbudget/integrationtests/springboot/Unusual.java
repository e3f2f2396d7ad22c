package io.tokenbudget.integrationtests.springboot;

import dev.langchain4j.service.AiServices;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.Notices;
import io.tokenbudget.integrationtests.springboot.elsewhere.Base;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.ByteBuddy;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Flux;

/** An application that starts without the starter and has everything that a starter may trip over. */
@SpringBootConfiguration
@EnableAutoConfiguration
class Unusual {
    /** What each model here says that an answer has cost. */
    static final long COST = 70;

    /** Calls that the application's own aspect has seen. */
    static final AtomicInteger TRANSACTIONS = new AtomicInteger();

    /** How many routers were made. */
    static final AtomicInteger ROUTERS = new AtomicInteger();

    static ChatResponse answer() {
        return new ChatResponse(
                List.of(new Generation(new AssistantMessage("answer"))),
                ChatResponseMetadata.builder().usage(new DefaultUsage(30, 40)).build());
    }

    /** A class of the application that has the name of one of ours. */
    static class TokenLimiter {}

    /** What the starter says at start-up. */
    static final class Told implements Notices {
        final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void warn(String line) {
            lines.add(line);
        }
    }

    /** Marks what the application's own aspect stands around. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Transacted {}

    /** A service as that which nothing can extend. */
    interface Service {
        String work();
    }

    static final class FinalService implements Service {
        @Override
        @Transacted
        public String work() {
            return "done";
        }
    }

    /** An annotated bean that has an interface and is known by its class. */
    static class Desk implements Service {
        @Override
        @TokenBudget(agent = "desk")
        public String work() {
            return "desk";
        }
    }

    /** In a circle with the tools that it has. */
    static class Router implements ChatModel {
        @Autowired
        private @Nullable Tools tools;

        Router() {
            ROUTERS.incrementAndGet();
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            return answer();
        }

        String toolsOfRouter() {
            return Objects.requireNonNull(tools).toString();
        }
    }

    static class AdvisedRouter implements ChatModel {
        @Autowired
        private @Nullable Tools tools;

        @Override
        @Transacted
        public ChatResponse call(Prompt prompt) {
            return Objects.requireNonNull(tools).toString().isEmpty() ? new ChatResponse(List.of()) : answer();
        }
    }

    static class Tools {
        @Autowired
        @Qualifier("router")
        @Nullable
        ChatModel router;

        @Autowired
        @Qualifier("advisedRouter")
        @Nullable
        ChatModel advisedRouter;
    }

    /** Inherits, from another package, a method that nothing here can override. */
    static class Inherits extends Base {
        @Override
        public ChatResponse call(Prompt prompt) {
            return answer();
        }
    }

    /** An interface of the application's own that asks the model for it. */
    interface Asking extends ChatModel {
        default String ask(String question) {
            return String.valueOf(
                    call(new Prompt(question)).getResult().getOutput().getText());
        }
    }

    /** Has ways of its own to be asked. */
    static class OwnWays implements Asking {
        @Override
        public ChatResponse call(Prompt prompt) {
            return answer();
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return Flux.just(answer());
        }

        public ChatResponse atLast(Prompt prompt, int times) {
            ChatResponse last = call(prompt);
            for (int i = 1; i < times; i++) {
                last = call(prompt);
            }
            return last;
        }

        Flux<ChatResponse> flowing(Prompt prompt) {
            return stream(prompt);
        }

        String unseen(String question) {
            return String.valueOf(call(question));
        }

        /** What is no question. */
        String getName() {
            return "own ways";
        }
    }

    /** A model of both frameworks. */
    static class OfBoth implements ChatModel, dev.langchain4j.model.chat.ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            return answer();
        }

        @Override
        public dev.langchain4j.model.chat.response.ChatResponse doChat(
                dev.langchain4j.model.chat.request.ChatRequest request) {
            return dev.langchain4j.model.chat.response.ChatResponse.builder()
                    .aiMessage(dev.langchain4j.data.message.AiMessage.from("answer"))
                    .tokenUsage(new dev.langchain4j.model.output.TokenUsage(30, 40))
                    .build();
        }
    }

    /** One is as good as another. */
    static class Alike implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            return answer();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Alike;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    /** Has a decorator that nobody else may set. */
    static class OwnExecutor extends ThreadPoolTaskExecutor {
        @Override
        public void setTaskDecorator(TaskDecorator decorator) {
            throw new UnsupportedOperationException("an executor with a decorator of its own");
        }
    }

    @Bean
    OwnExecutor ownExecutor() {
        return new OwnExecutor();
    }

    @Bean
    Told told() {
        return new Told();
    }

    @Bean
    TokenLimiter tokenLimiter() {
        return new TokenLimiter();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor transacting() {
        return new DefaultPointcutAdvisor(
                AnnotationMatchingPointcut.forMethodAnnotation(Transacted.class), (MethodInterceptor) invocation -> {
                    TRANSACTIONS.incrementAndGet();
                    return invocation.proceed();
                });
    }

    @Bean
    Service finalService() {
        return new FinalService();
    }

    @Bean
    Desk desk() {
        return new Desk();
    }

    @Bean
    String usesDesk(Desk desk) {
        return desk.work();
    }

    @Bean
    Router router() {
        return new Router();
    }

    @Bean
    AdvisedRouter advisedRouter() {
        return new AdvisedRouter();
    }

    @Bean
    Tools tools() {
        return new Tools();
    }

    @Bean
    String usesRouters(@Qualifier("router") ChatModel router, @Qualifier("advisedRouter") ChatModel advisedRouter) {
        return router + " " + advisedRouter;
    }

    @Bean
    Inherits inherits() {
        return new Inherits();
    }

    @Bean
    Asking asking() {
        return prompt -> answer();
    }

    @Bean
    OwnWays ownWays() {
        return new OwnWays();
    }

    @Bean
    OfBoth ofBoth() {
        return new OfBoth();
    }

    @Bean
    Alike alike() {
        return new Alike();
    }

    @Bean
    Alike alikeToo() {
        return new Alike();
    }

    /** What a library for mocks is told by calls with null. */
    static final List<String> CALLS = new CopyOnWriteArrayList<>();

    @Bean
    ChatModel recorded() {
        return (ChatModel) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ChatModel.class}, (proxy, method, arguments) -> {
                    CALLS.add(method.getName());
                    return null;
                });
    }

    @Bean
    ChatModel mocked() {
        return Mockito.mock(ChatModel.class);
    }

    @Bean
    OwnWays spied() {
        return Mockito.spy(new OwnWays());
    }

    /** An AI service whose interface is of a class loader that knows no Spring, as of a container's shared libraries. */
    @Bean
    Object serviceFromElsewhere() {
        ClassLoader shared = new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader());
        Class<?> type = new ByteBuddy()
                .makeInterface()
                .name("shared.Assistant")
                .defineMethod("answer", String.class, Modifier.PUBLIC)
                .withParameters(String.class)
                .withoutCode()
                .make()
                .load(shared)
                .getLoaded();
        dev.langchain4j.model.chat.ChatModel model = new dev.langchain4j.model.chat.ChatModel() {
            @Override
            public dev.langchain4j.model.chat.response.ChatResponse doChat(
                    dev.langchain4j.model.chat.request.ChatRequest request) {
                return dev.langchain4j.model.chat.response.ChatResponse.builder()
                        .aiMessage(dev.langchain4j.data.message.AiMessage.from("hello"))
                        .build();
            }
        };
        return AiServices.create(type, model);
    }
}
