package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenLimiter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

@DisplayName("Starter: a model bean that an aspect of the application stands around is metered all the same")
public class AdvisedModelTest {
    /** A model of the application's own. */
    static class OwnModel implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            return new ChatResponse(
                    List.of(new Generation(new AssistantMessage("answer"))),
                    ChatResponseMetadata.builder()
                            .usage(new DefaultUsage(30, 40))
                            .build());
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Advised {
        @Bean
        OwnModel ownModel() {
            return new OwnModel();
        }

        @Bean
        AtomicInteger advised() {
            return new AtomicInteger();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor around(AtomicInteger advised) {
            NameMatchMethodPointcut calls = new NameMatchMethodPointcut();
            calls.setMappedName("call");
            calls.setClassFilter(OwnModel.class::isAssignableFrom);
            return new DefaultPointcutAdvisor(calls, (MethodInterceptor) invocation -> {
                advised.incrementAndGet();
                return invocation.proceed();
            });
        }
    }

    @Test
    void aModelBeanWithAnAspectAroundItIsMetered() {
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
        try (ConfigurableApplicationContext context = Application.withoutWeb(Advised.class, environment)) {
            ChatResponse response = context.getBean(OwnModel.class).call(new Prompt("question"));

            assertThat(response.getResult().getOutput().getText()).isEqualTo("answer");
            assertThat(context.getBean(AtomicInteger.class)).hasPositiveValue();
            assertThat(context.getBean(TokenLimiter.class).status())
                    .extracting(BudgetStatus::used)
                    .containsExactly(70L);
        }
    }
}
