package io.tokenbudget.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.LifeCycle;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Prototype;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.event.BeanPreDestroyEvent;
import io.micronaut.context.event.BeanPreDestroyEventListener;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.testkit.inprocess.Snapshots;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Micronaut: model beans of an application's own keep what is theirs when they are replaced")
class OwnModelsTest {
    private static final List<String> CLOSED = new CopyOnWriteArrayList<>();
    private static final List<String> NOTICES = new CopyOnWriteArrayList<>();

    private static ApplicationContext start() {
        return start(true);
    }

    private static ApplicationContext start(boolean enabled) {
        CLOSED.clear();
        NOTICES.clear();
        Notices heard = NOTICES::add;
        return ApplicationContext.builder(Map.of(
                        "own-models",
                        "on",
                        "token-budget.enabled",
                        enabled,
                        "token-budget.budgets",
                        List.of(Map.of("scope", "agent", "limits", List.of("1M tokens per 1h")))))
                .singletons(heard)
                .start();
    }

    /** Known nowhere but here. */
    interface Asking extends ChatModel {
        String twice(String question) throws IOException;

        default String thrice(String question) throws IOException {
            return twice(question) + chat(question);
        }
    }

    interface Called {
        default String whoAmI() {
            return "default";
        }
    }

    private abstract static class Own implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            return ChatResponse.builder()
                    .aiMessage(AiMessage.from("Hello"))
                    .tokenUsage(new TokenUsage(3, 4))
                    .build();
        }
    }

    static final class Asked extends Own implements Asking, Called {
        @Override
        public String twice(String question) throws IOException {
            if (question.isEmpty()) {
                throw new IOException("no question");
            }
            return "own";
        }
    }

    @Singleton
    @Bean(typed = ChatModel.class)
    @Named("annotated")
    @Requires(property = "own-models")
    static class Annotated extends Own {
        @PreDestroy
        void end() {
            CLOSED.add("annotated");
        }
    }

    static final class Closeable extends Own implements AutoCloseable {
        private final String name;

        Closeable(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            CLOSED.add(name);
        }
    }

    /** Equal by what they are; to the second kind whatever has the name is equal. */
    static final class Equal extends Own implements AutoCloseable {
        @Override
        public void close() {
            CLOSED.add("equal");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Equal;
        }

        @Override
        public int hashCode() {
            return 7;
        }
    }

    interface WithName extends ChatModel {
        default String name() {
            return "same";
        }
    }

    static final class EqualByName extends Own implements WithName {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof WithName named && named.name().equals(name());
        }

        @Override
        public int hashCode() {
            return name().hashCode();
        }
    }

    interface Overridden extends ChatModel {
        default String ask(String question) {
            return chat(question);
        }

        default String left(String question) {
            return chat(question);
        }
    }

    static final class Overriding extends Own implements Overridden {
        @Override
        public String ask(String question) {
            return chat(question + "!");
        }
    }

    /** Configures what a factory makes, as Micronaut's guide shows it. */
    @Singleton
    @Requires(property = "own-models")
    static class Tuning implements BeanCreatedEventListener<ChatModel>, BeanPreDestroyEventListener<ChatModel> {
        @Override
        public ChatModel onCreated(BeanCreatedEvent<ChatModel> event) {
            assertThat(event.getBean()).isInstanceOf(Own.class);
            return event.getBean();
        }

        @Override
        public ChatModel onPreDestroy(BeanPreDestroyEvent<ChatModel> event) {
            return event.getBean();
        }
    }

    static final class Cycle extends Own implements LifeCycle<Cycle> {
        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public Cycle stop() {
            CLOSED.add("cycle");
            return this;
        }
    }

    @Singleton
    @Requires(property = "own-models")
    static class User {
        @SuppressWarnings("unused") // a prototype ends with whom it was made for
        User(@Named("prototype") ChatModel prototype) {}
    }

    @Factory
    @Requires(property = "own-models")
    static class Models {
        @Singleton
        Asking asking() {
            return new Asked();
        }

        @Singleton
        @Bean(typed = {ChatModel.class, Called.class})
        @Named("two")
        Asked two() {
            return new Asked();
        }

        @Singleton
        @Bean(typed = ChatModel.class, preDestroy = "close")
        @Named("closeable")
        Closeable closeable() {
            return new Closeable("closeable");
        }

        @Singleton
        @Bean(typed = ChatModel.class, preDestroy = "close")
        @Named("equal-1")
        Equal equal1() {
            return new Equal();
        }

        @Singleton
        @Bean(typed = ChatModel.class, preDestroy = "close")
        @Named("equal-2")
        Equal equal2() {
            return new Equal();
        }

        @Singleton
        WithName equalByName() {
            return new EqualByName();
        }

        @Singleton
        Overridden overridden() {
            return new Overriding();
        }

        @Prototype
        @Bean(typed = ChatModel.class, preDestroy = "close")
        @Named("prototype")
        Closeable prototype() {
            return new Closeable("prototype");
        }

        @Singleton
        @Bean(typed = ChatModel.class)
        @Named("cycle")
        Cycle cycle() {
            return new Cycle();
        }
    }

    private static long used(ApplicationContext context) {
        return Snapshots.of(context.getBean(Metering.class).report()).used("agent:", "tokens");
    }

    @Test
    @DisplayName("An interface that only the application's own package sees is asked like any other")
    void anInterfaceOfAPackageIsAsked() throws IOException {
        try (ApplicationContext context = start()) {
            Asking asking = context.getBean(Asking.class);
            assertThat(asking.twice("why")).isEqualTo("own");
            assertThat(asking.thrice("why")).isEqualTo("ownHello");
            assertThat(used(context)).isEqualTo(7);
            assertThatThrownBy(() -> asking.twice("")).isExactlyInstanceOf(IOException.class);
            assertThat(context.getBean(Called.class).whoAmI()).isEqualTo("default");
        }
    }

    @Test
    @DisplayName(
            "A method of a model's own, which LangChain4j does not know, is named: what it asks the model itself passes uncounted")
    void methodsOfAModelsOwnAreNamed() throws IOException {
        try (ApplicationContext context = start()) {
            assertThat(NOTICES)
                    .singleElement()
                    .asString()
                    .contains("OwnModelsTest$Asking.twice")
                    .contains("not counted");
            Overridden overridden = context.getBean(Overridden.class);
            assertThat(NOTICES).hasSize(2).last().asString().contains("OwnModelsTest$Overridden.ask");
            assertThat(overridden.ask("why")).isEqualTo("Hello");
            assertThat(used(context)).isZero();
            assertThat(overridden.left("why")).isEqualTo("Hello");
            assertThat(used(context)).isEqualTo(7);
            assertThat(context.getBean(Asking.class).twice("why")).isEqualTo("own");
            assertThat(context.getBean(Called.class).whoAmI()).isEqualTo("default");
            assertThat(NOTICES).hasSize(2);
        }
    }

    @Test
    @DisplayName(
            "What stands in a model's place is equal where the model is, either way round, and each model is closed")
    void equalBeansAreEqual() {
        try (ApplicationContext context = start()) {
            ChatModel one = context.getBean(ChatModel.class, Qualifiers.byName("equal-1"));
            ChatModel other = context.getBean(ChatModel.class, Qualifiers.byName("equal-2"));
            assertThat(one).isNotSameAs(other).isEqualTo(other).hasSameHashCodeAs(other);
            assertThat(one.hashCode()).isEqualTo(7);
            Equal model = new Equal();
            assertThat(one.equals(model)).isEqualTo(model.equals(one));
            assertThat(one).isNotEqualTo(null).isNotEqualTo("model");
            WithName named = context.getBean(WithName.class);
            assertThat(named.equals(new EqualByName())).isTrue();
            assertThat(new EqualByName().equals(named)).isTrue();
            ChatModel plain = context.getBean(ChatModel.class, Qualifiers.byName("closeable"));
            assertThat(Set.of(plain)).contains(plain);
            assertThat(plain).isNotEqualTo(one).isNotEqualTo(named);
        }
        assertThat(CLOSED).containsExactlyInAnyOrder("equal", "equal", "closeable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "closeable", "cycle"})
    @DisplayName("A model that is replaced ends with the context as it would have without us")
    void aModelEndsWithTheContext(String name) {
        for (boolean enabled : new boolean[] {true, false}) {
            try (ApplicationContext context = start(enabled)) {
                assertThat(context.getBean(ChatModel.class, Qualifiers.byName(name))
                                .chat("Hello"))
                        .isEqualTo("Hello");
                assertThat(enabled ? used(context) : 7).isEqualTo(7);
                assertThat(CLOSED).isEmpty();
            }
            assertThat(CLOSED).containsExactly(name);
        }
    }

    @Test
    void aModelThatWasMadeForABeanEndsWithIt() {
        try (ApplicationContext context = start()) {
            context.destroyBean(context.getBean(User.class));
            assertThat(CLOSED).containsExactly("prototype");
        }
    }
}
