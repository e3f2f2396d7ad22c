package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.Introduction;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.inprocess.Snapshots;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Micronaut: @TokenBudget is seen on beans however they are made, and makes none")
class WhichBeansTest {
    private final ApplicationContext context = ApplicationContext.builder()
            .singletons(TokenLimiters.builder().yaml("""
                            budgets:
                              - {scope: agent, limits: ["1M tokens per 1h"]}
                            """).build())
            .start();

    @AfterEach
    void stop() {
        context.close();
    }

    /** As the AI services of Micronaut's own module for LangChain4j are made. */
    @Introduction
    @Retention(RetentionPolicy.RUNTIME)
    @interface Introduced {}

    @Singleton
    @InterceptorBean(Introduced.class)
    static class Introducing implements MethodInterceptor<Object, Object> {
        private final Model model;

        Introducing(Model model) {
            this.model = model;
        }

        @Override
        public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
            return model.ask();
        }
    }

    @Introduced
    interface Service {
        @TokenBudget(agent = "introduced", maxTokens = 100)
        String answer(String question);

        String unsaid();
    }

    @Introduced
    @TokenBudget(agent = "introduced-type")
    interface OtherService {
        String answer(String question);
    }

    static class Made {
        private final @Nullable Model model;

        Made() {
            this(null);
        }

        private Made(@Nullable Model model) {
            this.model = model;
        }

        @TokenBudget(agent = "made", maxTokens = 100)
        public String twice() {
            return ask() + ask();
        }

        public String ask() {
            return model == null ? "the proxy itself" : model.ask();
        }
    }

    @TokenBudget(agent = "made-type")
    static class MadeOfType extends Made {
        MadeOfType() {}

        MadeOfType(Model model) {
            super(model);
        }
    }

    interface Helper {
        String help();
    }

    @Singleton
    static class BeanHelper implements Helper {
        @Override
        public String help() {
            return "bean";
        }
    }

    @TokenBudget(agent = "no-bean")
    static final class NoBean implements Helper {
        @Override
        @TokenBudget(agent = "no-bean-either")
        public String help() {
            return "no bean";
        }
    }

    @Factory
    static class Making {
        @Singleton
        @Named("method")
        Made made(Model model) {
            return new Made(model);
        }

        @Singleton
        @Named("type")
        @Bean(typed = MadeOfType.class)
        MadeOfType madeOfType(Model model) {
            return new MadeOfType(model);
        }
    }

    private long used(String agent) {
        return Snapshots.of(context.getBean(Metering.class).report()).used("agent:" + agent, "tokens");
    }

    @Test
    void whatIsIntroducedHasItsAnnotations() {
        String unused = context.getBean(Service.class).answer("why");
        assertThat(used("introduced")).isEqualTo(100);
        String unusedToo = context.getBean(Service.class).unsaid();
        assertThat(used("introduced")).isEqualTo(100);
        String unusedThird = context.getBean(OtherService.class).answer("why");
        assertThat(used("introduced-type")).isEqualTo(100);
    }

    @Test
    @DisplayName("A class whose object a factory makes has its annotations")
    void whatAFactoryMakesHasItsAnnotations() {
        Made made = context.getBean(Made.class, Qualifiers.byName("method"));
        assertThatThrownBy(made::twice).isInstanceOf(LimitExceededException.class);
        assertThat(used("made")).isEqualTo(100);
        String unused = context.getBean(MadeOfType.class).ask();
        assertThat(used("made-type")).isEqualTo(100);
    }

    @Test
    void anAnnotatedClassThatIsNoBeanStaysNone() {
        assertThat(context.getBean(Helper.class).help()).isEqualTo("bean");
        assertThat(context.containsBean(NoBean.class)).isFalse();
    }
}
