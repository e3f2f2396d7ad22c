package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.core.Notices;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName(
        "Starter: several contexts in one process, one below another, and those that make beans when they are used")
public class ContextsTest {
    private final Application parent = Application.start(
            Parent.class,
            "spring.main.web-application-type=none",
            "token-budget.budgets[0].scope=tenant",
            "token-budget.budgets[0].limits[0]=1M tokens per 1h");

    @AfterAll
    void stop() {
        parent.close();
    }

    private ConfigurableApplicationContext child(String... configuration) {
        return new SpringApplicationBuilder(Parent.class)
                .parent(parent.context())
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties("logging.level.root=warn")
                .run(configuration);
    }

    private void ask(String tenant) {
        TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant(tenant).build());
        try {
            ChatModel model = parent.context().getBean(ChatModel.class);
            Mono.fromCallable(() -> model.call("What is on offer?"))
                    .subscribeOn(Schedulers.boundedElastic())
                    .block();
        } finally {
            open.close();
        }
    }

    @Test
    @DisplayName("C10: a context that is closed takes Reactor's schedulers from no other that shares its meter")
    void aChildThatIsClosedTakesNothingFromItsParent() {
        child().close();
        long billed = parent.billed();
        ask("acme");
        assertThat(parent.used("tenant:acme")).isEqualTo(parent.billed() - billed);
    }

    @Test
    void whatAChildConfiguresIsNotInForceAndThatIsTold() {
        try (ConfigurableApplicationContext child = child("--token-budget.budgets[0].limits[0]=1 token per 1h")) {
            assertThat(told(child)).contains("not in force").doesNotContain("is ready to enforce");
        }
        try (ConfigurableApplicationContext child = child()) {
            assertThat(told(child)).contains("lines=[]");
        }
    }

    @Test
    void theProcesssLimiterIsThatOfAContextThatIsOpen() {
        try (ConfigurableApplicationContext first = without(Map.of())) {
            ConfigurableApplicationContext second = without(Map.of());
            assertThat(TokenBudgets.limiter()).isSameAs(second.getBean(TokenLimiter.class));
            second.close();
            assertThat(TokenBudgets.limiter()).isSameAs(first.getBean(TokenLimiter.class));
        }
        assertThat(TokenBudgets.limiter()).isSameAs(parent.context().getBean(TokenLimiter.class));
    }

    @Test
    void whereBeansAreMadeWhenTheyAreUsedWhatIsWrongIsToldAllTheSame() {
        try (ConfigurableApplicationContext context =
                without(Map.of("spring.main.lazy-initialization", "true", "token-budget.mode", "enforec"))) {
            assertThat(context.getBeanFactory().containsSingleton("io.tokenbudget.settings"))
                    .isTrue();
            List<String> notices = context.getBean(Collected.class).lines;
            assertThat(notices).isEmpty();
            context.getBean(Sealed.class);
            assertThat(notices).singleElement().asString().contains("sealed=", "its class is final");
        }
    }

    private static String told(ConfigurableApplicationContext context) {
        return context.getBean("io.tokenbudget.settings").toString();
    }

    private static ConfigurableApplicationContext without(Map<String, Object> configuration) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", configuration));
        return Application.withoutWeb(WithFinalModel.class, environment);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Parent {}

    static class Collected implements Notices {
        final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void warn(String message) {
            lines.add(message);
        }
    }

    static final class Sealed implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            return new ChatResponse(List.of());
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class WithFinalModel {
        @Bean
        Sealed sealed() {
            return new Sealed();
        }

        @Bean
        Collected notices() {
            return new Collected();
        }
    }
}
