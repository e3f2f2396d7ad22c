package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.inprocess.Snapshots;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Micronaut: the nearest @TokenBudget says all there is, on however many levels there are others above it")
class LevelsTest {
    private final ApplicationContext context = ApplicationContext.builder()
            .singletons(TokenLimiters.builder().yaml("""
                            identity: {agent: ["literal:nobody"], tenant: ["literal:nobody"]}
                            budgets:
                              - {scope: agent, limits: ["1M tokens per 1h"]}
                              - {scope: tenant, limits: ["1M tokens per 1h"]}
                            """).build())
            .start();

    @AfterEach
    void stop() {
        context.close();
    }

    @TokenBudget(agent = "type-top", tenant = "top", maxTokens = 100)
    interface Top<T> {
        @TokenBudget(agent = "top", tenant = "top", maxTokens = 100)
        String method(T question);

        String unsaid();
    }

    @TokenBudget(agent = "type-middle")
    interface Middle extends Top<String> {
        @Override
        @TokenBudget(agent = "middle")
        String method(String question);
    }

    interface Low extends Middle {}

    private abstract static class Answering {
        private final Model model;

        Answering(Model model) {
            this.model = model;
        }

        final String twice() {
            return model.ask() + model.ask();
        }
    }

    @Singleton
    static class Inheriting extends Answering implements Low {
        Inheriting(Model model) {
            super(model);
        }

        @Override
        public String method(String question) {
            return twice();
        }

        @Override
        public String unsaid() {
            return twice();
        }
    }

    interface Service extends Top<String> {}

    interface NarrowerService extends Service {
        @Override
        @TokenBudget(agent = "service")
        String method(String question);
    }

    interface MadeService extends NarrowerService {}

    @Factory
    static class Making {
        @Singleton
        MadeService made(Model model) {
            return new MadeService() {
                @Override
                public String method(String question) {
                    return model.ask() + model.ask();
                }

                @Override
                public String unsaid() {
                    return model.ask();
                }
            };
        }
    }

    abstract static class ClassAbove extends Answering {
        ClassAbove(Model model) {
            super(model);
        }

        @TokenBudget(agent = "class-above")
        public String method(String question) {
            return twice();
        }
    }

    @Singleton
    static class ClassesFirst extends ClassAbove implements Low {
        ClassesFirst(Model model) {
            super(model);
        }

        @Override
        public String method(String question) {
            return super.method(question);
        }

        @Override
        public String unsaid() {
            return twice();
        }
    }

    private void assertUsed(String agent) {
        assertThat(used("agent:" + agent)).isEqualTo(200);
        assertThat(used("tenant:nobody")).isEqualTo(200);
    }

    private long used(String scope) {
        return Snapshots.of(context.getBean(Metering.class).report()).used(scope, "tokens");
    }

    @Test
    void ofTheInterfacesOfABeanTheNearestCounts() {
        String unused = context.getBean(Inheriting.class).method("why");
        assertUsed("middle");
    }

    @Test
    void ofTypesTheNearestCounts() {
        String unused = context.getBean(Inheriting.class).unsaid();
        assertUsed("type-middle");
    }

    @Test
    void ofTheInterfacesOfWhatAFactoryMakesTheNearestCounts() {
        String unused = context.getBean(MadeService.class).method("why");
        assertUsed("service");
    }

    @Test
    void classesCountBeforeInterfaces() {
        String unused = context.getBean(ClassesFirst.class).method("why");
        assertUsed("class-above");
    }

    @Singleton
    @TokenBudget(agent = "{name}")
    static class Self extends Answering {
        Self(Model model) {
            super(model);
        }

        public String outer(String name) {
            return inner("inside-" + name);
        }

        public String inner(String name) {
            return name + twice();
        }
    }

    @Test
    @DisplayName("What a type says is for those who call it, and not for what an object calls of itself")
    void whatATypeSaysIsForThoseWhoCallIt() {
        String unused = context.getBean(Self.class).outer("caller");
        assertUsed("caller");
    }
}
