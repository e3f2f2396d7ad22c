package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C9 never in the way: a framework version we do not know")
class CompatibilityTest {
    private static final String LANGCHAIN4J = "io.tokenbudget.agent.advice.LangChain4jChatAdvice";
    private static final String STREAM = "io.tokenbudget.agent.advice.LangChain4jStreamAdvice";
    private static final String TOOLS = "io.tokenbudget.agent.advice.SpringAiToolsAdvice";
    private static final String KIND = "chat calls of LangChain4j";
    private static final MethodType ENTER = MethodType.methodType(Object.class, Object.class, Object.class);
    private static final MethodType EXIT =
            MethodType.methodType(Throwable.class, Object.class, Object.class, Throwable.class);

    private final Fixture fixture = new Fixture("1000 tokens per 1h");

    @Test
    void theLowestSupportedVersionsHaveEverythingThatEachAdviceNeeds() throws Exception {
        for (String advice : Hooks.ALL.stream().map(Hook::advice).distinct().toList()) {
            assertThat(Compatibility.missing(advice, fixture.bridgeTo(new FrameworkLoader())))
                    .as(advice)
                    .isNull();
        }
    }

    @Test
    void namesTheMethodThatIsMissing() throws Exception {
        FrameworkLoader application =
                FrameworkLoader.withoutMethod("dev.langchain4j.model.chat.request.ChatRequest", "messages");

        assertThat(Compatibility.missing(LANGCHAIN4J, fixture.bridgeTo(application)))
                .isEqualTo("dev.langchain4j.model.chat.request.ChatRequest.messages()");
    }

    @Test
    void namesTheInterfacesMethodThatIsMissing() throws Exception {
        FrameworkLoader application = FrameworkLoader.withoutMethod(
                "dev.langchain4j.model.chat.request.ChatRequestParameters", "toolSpecifications");

        assertThat(Compatibility.missing(LANGCHAIN4J, fixture.bridgeTo(application)))
                .isEqualTo("dev.langchain4j.model.chat.request.ChatRequestParameters.toolSpecifications()");
    }

    @Test
    void namesTheClassThatIsMissing() throws Exception {
        FrameworkLoader application = FrameworkLoader.withoutClass("dev.langchain4j.model.output.TokenUsage");

        assertThat(Compatibility.missing(LANGCHAIN4J, fixture.bridgeTo(application)))
                .isEqualTo("dev.langchain4j.model.output.TokenUsage");
    }

    @Test
    void itsCallsPassAndAreCountedAndThatIsSaidInOneLine() throws Throwable {
        FrameworkLoader application =
                FrameworkLoader.withoutMethod("dev.langchain4j.model.chat.request.ChatRequest", "messages");
        BridgeLoader bridge = fixture.bridgeTo(application);

        for (int call = 0; call < 2; call++) {
            MethodHandle enter = bridge.advice(LANGCHAIN4J, KIND).enter(ENTER);
            Object entered = enter.invoke(new Object(), new Object());
            MethodHandle exit = bridge.advice(LANGCHAIN4J, KIND).exit(EXIT);
            assertThat((Throwable) exit.invoke(entered, new Object(), null)).isNull();
        }

        assertThat(fixture.calls().unmetered()).isEqualTo(2);
        assertThat(fixture.calls().metered()).isZero();
        assertThat(fixture.lines)
                .containsExactly(
                        "chat calls and streaming calls of LangChain4j 1.0.1 are not metered, they pass and"
                                + " are counted: it has no dev.langchain4j.model.chat.request.ChatRequest.messages() (tested with 1.0.1 to 1.19.0)");
    }

    @Test
    void aStreamingCallThatOnlyCountsKeepsTheHandlerOfTheApplication() throws Throwable {
        BridgeLoader bridge = fixture.bridgeTo(
                FrameworkLoader.withoutMethod("dev.langchain4j.model.chat.request.ChatRequest", "messages"));
        MethodType enterType = ENTER.changeReturnType(Object[].class).appendParameterTypes(String.class);
        MethodType exitType = EXIT.changeParameterType(0, Object[].class);
        AdviceMethods advice = bridge.advice(STREAM, "streaming calls of LangChain4j");

        for (int call = 0; call < 2; call++) {
            Object[] entered =
                    (Object[]) advice.enter(enterType).asType(enterType).invoke(new Object(), new Object(), "handler");
            assertThat(entered).containsExactly("streaming calls of LangChain4j", "handler");
            Object[] nested =
                    (Object[]) advice.enter(enterType).asType(enterType).invoke(new Object(), new Object(), "handler");
            assertThat(nested).isNull();
            assertThat((Throwable) advice.exit(exitType).asType(exitType).invoke(entered, new Object(), null))
                    .isNull();
        }

        assertThat(fixture.calls().unmetered()).isEqualTo(2);
    }

    @Test
    void theEndOfARoundIsNoCallAndIsNotCounted() throws Throwable {
        BridgeLoader bridge =
                fixture.bridgeTo(FrameworkLoader.withoutClass("org.springframework.ai.chat.metadata.Usage"));

        AdviceMethods chat = bridge.advice("io.tokenbudget.agent.advice.SpringAiChatAdvice", "chat calls of Spring AI");
        AdviceMethods advice = bridge.advice(TOOLS, "");
        Object entered = advice.enter(ENTER).invoke(new Object(), new Object());
        assertThat((Throwable) advice.exit(EXIT).invoke(entered, new Object(), null))
                .isNull();

        assertThat(chat).isNotEqualTo(advice);
        assertThat(entered).isNull();
        assertThat(fixture.calls().unmetered()).isZero();
        assertThat(fixture.lines)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("Spring AI 1.0.3 is not metered, its calls pass and are counted: it has no ");
    }

    @Test
    void oneApplicationsMismatchLeavesAnotherMetered() throws Exception {
        FrameworkLoader broken =
                FrameworkLoader.withoutMethod("dev.langchain4j.model.chat.request.ChatRequest", "messages");

        List<AdviceMethods> links = List.of(
                fixture.bridgeTo(broken).advice(LANGCHAIN4J, KIND),
                fixture.bridgeTo(new FrameworkLoader()).advice(LANGCHAIN4J, KIND));

        assertThat(links.get(0).enter().type().parameterCount()).isZero();
        assertThat(links.get(1).enter().type().parameterCount()).isEqualTo(2);
        assertThat(fixture.lines).hasSize(1);
    }
}
