package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.integrationtests.springboot.elsewhere.Base;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.type.MethodMetadata;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("C9, starter: an application that starts without it starts with it, and behaves the same")
public class UnusualTest {
    private final ConfigurableApplicationContext context = start();

    @AfterAll
    void stop() {
        context.close();
    }

    private static ConfigurableApplicationContext start() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        Map.of(
                                "spring.aop.proxy-target-class", "false",
                                "spring.main.allow-circular-references", "true",
                                "token-budget.budgets[0].scope", "tenant",
                                "token-budget.budgets[0].limits[0]", "1M tokens per 1h")));
        return Application.withoutWeb(Unusual.class, environment);
    }

    @Test
    void adviceOfTheApplicationKeepsTheKindOfProxyThatItAskedFor() {
        int before = Unusual.TRANSACTIONS.get();
        assertThat(context.getBean("finalService", Unusual.Service.class).work())
                .isEqualTo("done");
        assertThat(Unusual.TRANSACTIONS).hasValue(before + 1);
    }

    @Test
    void anAnnotatedBeanIsInjectedByItsClassAllTheSame() {
        assertThat(context.getBean("usesDesk")).isEqualTo("desk");
    }

    @Test
    void anExecutorThatTakesNoDecoratorIsUsed() {
        assertThat(context.getBean(Unusual.OwnExecutor.class).isRunning()).isTrue();
    }

    @Test
    void aBeanOfTheApplicationMayHaveAnyName() {
        assertThat(context.getBean("tokenLimiter")).isInstanceOf(Unusual.TokenLimiter.class);
    }

    @Test
    void beansOfTheStarterHaveNamesThatNoClassIsRegisteredBy() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        assertThat(Stream.of(beans.getBeanDefinitionNames())
                        .filter(name -> isOurs(beans, name))
                        .toList())
                .hasSizeGreaterThan(5)
                .allMatch(name -> name.startsWith("io.tokenbudget.") || name.equals("tokenBudgetHealthIndicator"));
    }

    private static boolean isOurs(ConfigurableListableBeanFactory beans, String name) {
        MethodMetadata method = beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition annotated
                ? annotated.getFactoryMethodMetadata()
                : null;
        return method != null && method.getDeclaringClassName().startsWith("io.tokenbudget.spring.");
    }

    @Test
    void modelsInACircleAreOneObjectEachAndMetered() {
        Unusual.Tools tools = context.getBean(Unusual.Tools.class);
        ChatModel router = Objects.requireNonNull(tools.router);
        assertThat(router).isSameAs(context.getBean("router"));
        assertThat(used("circle", () -> router.call(new Prompt("question")))).isEqualTo(Unusual.COST);

        assertThat(Unusual.ROUTERS).hasValue(1);

        ChatModel advised = Objects.requireNonNull(tools.advisedRouter);
        int before = Unusual.TRANSACTIONS.get();
        assertThat(advised).isSameAs(context.getBean("advisedRouter"));
        assertThat(used("advised circle", () -> advised.call(new Prompt("question"))))
                .isEqualTo(Unusual.COST);
        assertThat(Unusual.TRANSACTIONS).hasValue(before + 1);
    }

    @Test
    @DisplayName("C1: a default method of an interface of the application's own is charged for what it asks")
    void aDefaultMethodIsCharged() {
        Unusual.Asking lambda = context.getBean("asking", Unusual.Asking.class);
        assertThat(used("lambda", () -> assertThat(lambda.ask("question")).isEqualTo("answer")))
                .isEqualTo(Unusual.COST);
        Unusual.OwnWays ofClass = context.getBean("ownWays", Unusual.OwnWays.class);
        assertThat(used("class", () -> assertThat(ofClass.ask("question")).isEqualTo("answer")))
                .isEqualTo(Unusual.COST);
    }

    @Test
    @DisplayName("C1: a method of the model's own class that takes a prompt and returns its answer is one call")
    void aMethodOfTheModelsOwnIsOneCall() {
        Unusual.OwnWays model = context.getBean("ownWays", Unusual.OwnWays.class);
        assertThat(used("own call", () -> model.atLast(new Prompt("question"), 1)))
                .isEqualTo(Unusual.COST);
        assertThat(used(
                        "own stream",
                        () -> model.flowing(new Prompt("question")).blockLast()))
                .isEqualTo(Unusual.COST);
    }

    @Test
    void aMethodOfTheModelsOwnThatIsNotSeenIsNamed() {
        Unusual.OwnWays model = context.getBean("ownWays", Unusual.OwnWays.class);
        assertThat(used("unseen", () -> model.unseen("question"))).isZero();
        assertThat(told()).contains("ownWays.unseen()=").doesNotContain("ownWays.atLast", "ownWays.get");
    }

    @Test
    @DisplayName("C1: a model of both frameworks is charged by either")
    void aModelOfBothFrameworksIsChargedByEither() {
        Unusual.OfBoth model = context.getBean(Unusual.OfBoth.class);
        assertThat(used("spring", () -> model.call("question"))).isEqualTo(Unusual.COST);
        assertThat(used("langchain4j", () -> model.chat("question"))).isEqualTo(Unusual.COST);
    }

    @Test
    void modelsThatAreEqualStayEqual() {
        Object one = context.getBean("alike");
        Object other = context.getBean("alikeToo");
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(other).isEqualTo(one);
        assertThat(context.getBean("ownWays")).isNotEqualTo(one);
    }

    @Test
    void aModelIsAskedNothingElseWhereItIsAskedNothing() {
        ChatModel recorded = context.getBean("recorded", ChatModel.class);
        Unusual.CALLS.clear();
        recorded.call((Prompt) null);
        recorded.call((String) null);
        recorded.stream((Prompt) null);
        assertThat(Unusual.CALLS).containsExactly("call", "call", "stream");
    }

    @Test
    void mocksAndSpiesAreTaughtAndAskedAsWithoutTheStarter() {
        for (String name : List.of("mocked", "spied")) {
            ChatModel model = context.getBean(name, ChatModel.class);
            Prompt prompt = new Prompt("question");
            Mockito.doReturn("taught").when(model).call("text");
            Mockito.when(model.call(ArgumentMatchers.<Prompt>any())).thenReturn(new ChatResponse(List.of()));
            assertThat(model.call(prompt).getResults()).isEmpty();
            assertThat(model.call("text")).isEqualTo("taught");
            Mockito.verify(model, Mockito.times(1)).call(prompt);
            assertThat(told()).contains(name + '=');
        }
    }

    @Test
    void aModelWithAMethodThatNoProxyCanOverrideIsLeftAsItIsAndNamed() {
        assertThat(Base.nameOf(context.getBean(Unusual.Inherits.class))).isEqualTo("a name");
        assertThat(told()).contains("inherits=", "its method name cannot be overridden outside of its package");
    }

    @Test
    void anAiServiceOfAnotherClassLoaderIsUsed() throws Exception {
        Object service = context.getBean("serviceFromElsewhere");
        Method answer = service.getClass().getInterfaces()[0].getMethod("answer", String.class);
        assertThat(answer.invoke(service, "question")).isEqualTo("hello");
    }

    @Test
    void aConfigurationThatCannotBeReadIsToldAndNothingIsEnforced() {
        StandardEnvironment environment = new StandardEnvironment();
        Unreachable source = new Unreachable();
        source.isAsked = true;
        environment.getPropertySources().addFirst(source);
        try (ConfigurableApplicationContext broken =
                Application.withoutWeb(ConfigurationTest.Nothing.class, environment)) {
            assertThat(broken.getBean("io.tokenbudget.settings").toString())
                    .contains("NOTHING IS ENFORCED", "the server of the configuration");
        }
    }

    private String told() {
        return String.join("\n", context.getBean(Unusual.Told.class).lines);
    }

    private long used(String tenant, Runnable calls) {
        try (TokenBudgets.Scope open =
                TokenBudgets.open(BudgetContext.builder().tenant(tenant).build())) {
            assertThat(open).isNotNull();
            calls.run();
        }
        List<BudgetStatus> status = context.getBean(DefaultTokenLimiter.class).status();
        assertThat(status).allMatch(budget -> budget.held() == 0);
        return status.stream()
                .filter(budget -> budget.scope().equals("tenant:" + tenant))
                .mapToLong(BudgetStatus::used)
                .sum();
    }

    /** A source of configuration that fails when it is asked for one of our keys. */
    private static final class Unreachable extends MapPropertySource {
        boolean isAsked;

        Unreachable() {
            super("unreachable", Map.of("token-budget.mode", "enforce"));
        }

        @Override
        public @Nullable Object getProperty(String name) {
            if (isAsked && name.equals("token-budget.mode")) {
                throw new IllegalStateException("the server of the configuration does not answer");
            }
            return super.getProperty(name);
        }
    }
}
