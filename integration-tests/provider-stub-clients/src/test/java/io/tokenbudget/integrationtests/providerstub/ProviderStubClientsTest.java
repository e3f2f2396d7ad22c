package io.tokenbudget.integrationtests.providerstub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.examples.providerstub.BilledCall;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("the stand-in provider, asked by LangChain4j's clients")
class ProviderStubClientsTest {
    private static final Duration AT_MOST = Duration.ofSeconds(10);
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final ToolSpecification WEATHER = ToolSpecification.builder()
            .name("weather")
            .description("The weather of a town")
            .parameters(JsonObjectSchema.builder()
                    .addStringProperty("city")
                    .required("city")
                    .build())
            .build();

    private static ProviderStub stub;

    private final String key = "key-" + KEYS.incrementAndGet();

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    static Stream<Arguments> providersAndAnswers() {
        return Stream.of(Provider.values())
                .flatMap(provider -> Stream.of("ok", "ok-cached", "ok-cache-write", "ok-reasoning", "long")
                        .map(model -> Arguments.of(provider, model)));
    }

    private static ChatRequest question() {
        return request(List.of(SystemMessage.from("Be short."), UserMessage.from("What is the weather in Paris?")));
    }

    private static ChatRequest request(List<ChatMessage> messages) {
        return ChatRequest.builder()
                .messages(messages)
                .toolSpecifications(WEATHER)
                .build();
    }

    private BilledCall onlyCall() throws InterruptedException {
        List<BilledCall> calls = stub.ledger().awaitCalls(key, 1, AT_MOST);
        assertThat(calls).hasSize(1);
        return calls.get(0);
    }

    private static void assertTold(Provider provider, TokenUsage usage, BilledCall call) {
        assertThat(provider.input(usage)).as("input").isEqualTo(call.promptTokens());
        assertThat(provider.output(usage)).as("output").isEqualTo(call.completionTokens());
    }

    @ParameterizedTest
    @MethodSource("providersAndAnswers")
    void answersAndTellsTheUsageThatItBooks(Provider provider, String model) throws Exception {
        ChatResponse response = provider.blocking(stub, key, model).chat(question());

        assertThat(response.aiMessage().text()).isNotBlank();
        assertTold(provider, response.tokenUsage(), onlyCall());
        boolean thoughts = provider.showsThoughts() && model.equals("ok-reasoning");
        assertThat(response.aiMessage().thinking()).isEqualTo(thoughts ? " thought".repeat(64) : null);
    }

    @ParameterizedTest
    @MethodSource("providersAndAnswers")
    void streamsAndTellsTheUsageThatItBooks(Provider provider, String model) throws Exception {
        ChatResponse whole = provider.blocking(stub, key, model).chat(question());
        Recorder recorder = new Recorder();
        provider.streaming(stub, key, model).chat(question(), recorder);
        ChatResponse response = recorder.response(AT_MOST);

        assertThat(response.aiMessage().text()).isEqualTo(whole.aiMessage().text());
        assertThat(recorder.text()).isEqualTo(response.aiMessage().text());
        assertThat(response.aiMessage().thinking()).isEqualTo(whole.aiMessage().thinking());
        assertTold(
                provider,
                response.tokenUsage(),
                stub.ledger().awaitCalls(key, 2, AT_MOST).get(1));
    }

    @ParameterizedTest
    @EnumSource
    void callsToolsForAsManyRoundsAsNamed(Provider provider) throws Exception {
        for (boolean streamed : new boolean[] {false, true}) {
            List<ChatMessage> messages = new ArrayList<>(question().messages());
            int rounds = 0;
            for (AiMessage said = say(provider, streamed, messages);
                    said.hasToolExecutionRequests();
                    said = say(provider, streamed, messages)) {
                rounds++;
                messages.add(said);
                for (ToolExecutionRequest call : said.toolExecutionRequests()) {
                    assertThat(call.name()).isEqualTo("weather");
                    assertThat(call.arguments()).contains("city", "Paris");
                    messages.add(ToolExecutionResultMessage.from(call, "sunny"));
                }
            }
            assertThat(rounds).isEqualTo(2);
        }
        assertThat(stub.ledger().awaitCalls(key, 6, AT_MOST)).hasSize(6);
    }

    private AiMessage say(Provider provider, boolean streamed, List<ChatMessage> messages) throws Exception {
        if (!streamed) {
            return provider.blocking(stub, key, "tools-2")
                    .chat(request(messages))
                    .aiMessage();
        }
        Recorder recorder = new Recorder();
        provider.streaming(stub, key, "tools-2").chat(request(messages), recorder);
        return recorder.response(AT_MOST).aiMessage();
    }

    @ParameterizedTest
    @EnumSource
    void sendsErrorsThatTheClientKnows(Provider provider) {
        assertThatThrownBy(() -> provider.blocking(stub, key, "error-400").chat(question()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("error-400");
        assertThatThrownBy(() -> provider.blocking(stub, key, "error-429").chat(question()))
                .isInstanceOf(RateLimitException.class);
        assertThatThrownBy(() -> provider.blocking(stub, key, "error-500").chat(question()))
                .isInstanceOf(InternalServerException.class);
        assertThat(stub.ledger().billed(key).totalTokens()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void seesThatAStreamIsCancelledAndBillsWhatItSent(Provider provider) throws Exception {
        Recorder recorder = new Recorder().cancelAfter(3);
        provider.streaming(stub, key, "slow-stream").chat(question(), recorder);

        BilledCall call = stub.ledger().awaitLeftByClient(key, 1, AT_MOST).get(0);
        assertThat(call.completionTokens()).isBetween(3L, 5L).isEqualTo(call.chunks());
        assertThat(call.promptTokens()).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void tellsOfAnErrorInMidStream(Provider provider) throws Exception {
        Recorder recorder = new Recorder();
        provider.streaming(stub, key, "error-event").chat(question(), recorder);

        if (provider.noticesErrorsInMidStream()) {
            assertThat(recorder.error(AT_MOST)).hasMessageContaining("error-event");
        } else {
            assertThat(recorder.response(AT_MOST).aiMessage().text()).isEqualTo("You asked:");
        }
        assertThat(onlyCall().completionTokens()).isEqualTo(3);
    }
}
