package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenLimiter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

@DisplayName("Starter: fields of the application's own model classes are read as they are")
public class OwnFieldsTest {
    /** With fields that nothing changes. */
    static class Fixed implements ChatModel {
        final String name = String.join(" ", "a", "name");
        protected final List<String> parts = List.of(name);

        @Override
        public ChatResponse call(Prompt prompt) {
            return new ChatResponse(
                    List.of(new Generation(new AssistantMessage(name))),
                    ChatResponseMetadata.builder()
                            .usage(new DefaultUsage(30, 40))
                            .build());
        }
    }

    /** With a field that others may change. */
    static class Changing extends Fixed {
        String suffix = "";

        @Override
        public ChatResponse call(Prompt prompt) {
            return new ChatResponse(List.of(new Generation(new AssistantMessage(name + suffix))));
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Models {
        @Bean
        Fixed fixed() {
            return new Fixed();
        }

        @Bean
        Changing changing() {
            return new Changing();
        }
    }

    @Test
    void aModelWhoseFieldsAreFinalIsMeteredAndItsFieldsAreRead() {
        try (ConfigurableApplicationContext context = start()) {
            Fixed fixed = context.getBean("fixed", Fixed.class);
            fixed.call(new Prompt("question"));
            assertThat(fixed.name).isEqualTo("a name");
            assertThat(fixed.parts).containsExactly("a name");
            assertThat(used(context)).containsExactly(70L);
        }
    }

    @Test
    void aModelWithFieldsThatOthersMayChangeIsLeftAsItIs() {
        try (ConfigurableApplicationContext context = start()) {
            Changing changing = context.getBean(Changing.class);
            changing.suffix = "!";
            assertThat(changing.call(new Prompt("question"))
                            .getResult()
                            .getOutput()
                            .getText())
                    .isEqualTo("a name!");
            assertThat(changing.name).isEqualTo("a name");
            assertThat(changing.getClass()).isEqualTo(Changing.class);
        }
    }

    private static List<Long> used(ConfigurableApplicationContext context) {
        return context.getBean(TokenLimiter.class).status().stream()
                .map(BudgetStatus::used)
                .toList();
    }

    private static ConfigurableApplicationContext start() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        Map.of(
                                "token-budget.budgets[0].scope",
                                "global",
                                "token-budget.budgets[0].limits[0]",
                                "1M tokens per 1h")));
        return Application.withoutWeb(Models.class, environment);
    }
}
