package io.tokenbudget.examples.providerstub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.examples.providerstub.Client.Reply;
import io.tokenbudget.examples.providerstub.Dialect.Told;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("every format: the same scenario does and costs the same")
class EveryFormatTest {
    private static final Duration AT_MOST = Duration.ofSeconds(10);
    private static final AtomicInteger KEYS = new AtomicInteger();

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

    static List<Dialect> dialects() {
        return List.of(
                new ChatDialect(),
                new ResponsesDialect(),
                new AnthropicDialect(),
                new OllamaDialect(),
                new GeminiDialect());
    }

    static Stream<Arguments> dialectsAndAnswers() {
        return dialects().stream()
                .flatMap(dialect -> Stream.of(
                                "ok",
                                "ok-cached",
                                "ok-cache-write",
                                "ok-reasoning",
                                "long",
                                "refusal",
                                "content-filter",
                                "zero-choices",
                                "tools-1")
                        .map(scenario -> Arguments.of(dialect, scenario)));
    }

    private Client client(Dialect dialect) {
        return new Client(stub, key, dialect);
    }

    private BilledCall onlyCall() throws InterruptedException {
        List<BilledCall> calls = stub.ledger().awaitCalls(key, 1, AT_MOST);
        assertThat(calls).hasSize(1);
        return calls.get(0);
    }

    private static Map<String, Object> streamed(Dialect dialect, String model) {
        Map<String, Object> request = dialect.request(model, false);
        dialect.streamed(request);
        return request;
    }

    private static void assertTold(@Nullable Told usage, BilledCall call) {
        Told told = Objects.requireNonNull(usage, "usage");
        assertThat(told.input()).as("input").isEqualTo(call.promptTokens());
        assertThat(told.output()).as("output").isEqualTo(call.completionTokens());
        assertThat(told.total()).as("total").isEqualTo(call.totalTokens());
        assertThat(told.cached()).as("cached").isIn(0L, call.cachedTokens());
        assertThat(told.cacheWrite()).as("cache write").isIn(0L, call.cacheWriteTokens());
        assertThat(told.reasoning()).as("reasoning").isIn(0L, call.reasoningTokens());
        assertThat(call.promptTokens()).isPositive();
        assertThat(call.completionTokens()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("dialectsAndAnswers")
    void tellsTheUsageThatItBooks(Dialect dialect, String model) throws Exception {
        Reply reply = client(dialect).post(model, dialect.request(model, true));

        assertThat(reply.status()).isEqualTo(200);
        assertTold(dialect.told(reply), onlyCall());
        assertThat(onlyCall())
                .returns(dialect.api(), BilledCall::api)
                .returns(model, BilledCall::scenario)
                .returns(false, BilledCall::streamed)
                .returns(false, BilledCall::clientLeft);
    }

    @ParameterizedTest
    @MethodSource("dialectsAndAnswers")
    void streamsWhatItAnswersAtTheSamePrice(Dialect dialect, String model) throws Exception {
        Client client = client(dialect);
        Map<String, Object> request = dialect.request(model, true);
        Reply whole = client.post(model, request);
        dialect.streamed(request);
        List<Map<String, Object>> events = client.stream(model, request);

        List<BilledCall> calls = stub.ledger().awaitCalls(key, 2, AT_MOST);
        assertTold(dialect.told(events), calls.get(1));
        assertThat(calls.get(1).totalTokens()).isEqualTo(calls.get(0).totalTokens());
        assertThat(calls.get(1).streamed()).isTrue();
        if (calls.get(0).scenario().startsWith("ok")) {
            assertThat(dialect.text(events)).isNotEmpty().isEqualTo(dialect.text(whole));
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void tellsNothingOrZeroWhereTheScenarioSaysSo(Dialect dialect) throws Exception {
        Client client = client(dialect);

        assertThat(dialect.told(client.ask("no-usage"))).isNull();
        assertThat(dialect.told(client.stream("no-usage", streamed(dialect, "no-usage"))))
                .isNull();
        assertThat(dialect.told(client.ask("zero-usage"))).isEqualTo(new Told(0, 0, 0, 0, 0, 0));
        assertThat(stub.ledger().calls(key)).allMatch(BilledCall::billed);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void showsThoughtsToWhoWantsThemAndBillsThemInAnyCase(Dialect dialect) throws Exception {
        Client client = client(dialect);
        String model = "ok-reasoning";
        Map<String, Object> request = dialect.request(model, false);
        assertThat(dialect.thoughts(client.post(model, request))).isEmpty();
        boolean shown = dialect.showThoughts(request);
        Reply whole = client.post(model, request);
        dialect.streamed(request);
        List<Map<String, Object>> events = client.stream(model, request);

        assertThat(dialect.thoughts(whole)).isEqualTo(shown ? " thought".repeat(64) : "");
        assertThat(dialect.thoughts(events)).isEqualTo(dialect.thoughts(whole));
        assertThat(dialect.text(events)).isNotEmpty().isEqualTo(dialect.text(whole));
        List<BilledCall> calls = stub.ledger().awaitCalls(key, 3, AT_MOST);
        assertThat(calls).allMatch(call -> call.reasoningTokens() == 64);
        assertThat(calls)
                .extracting(BilledCall::completionTokens)
                .containsOnly(calls.get(0).completionTokens());
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void stopsAtTheBoundOnOutput(Dialect dialect) throws Exception {
        for (boolean streamed : new boolean[] {false, true}) {
            Map<String, Object> request = dialect.request("endless", false);
            dialect.bound(request, 7);
            if (streamed) {
                dialect.streamed(request);
                client(dialect).stream("endless", request);
            } else {
                client(dialect).post("endless", request);
            }
        }
        assertThat(stub.ledger().awaitCalls(key, 2, AT_MOST))
                .extracting(BilledCall::completionTokens)
                .containsExactly(7L, 7L);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void billsNothingForAnError(Dialect dialect) throws Exception {
        for (int status : new int[] {400, 401, 404, 429, 500, 503}) {
            String model = "error-" + status;
            Reply reply = client(dialect).post(model, streamed(dialect, model));
            assertThat(reply.status()).isEqualTo(status);
            assertThat(dialect.errorMessage(reply.body())).asString().contains(model);
        }
        assertThat(stub.ledger().calls(key)).hasSize(6).noneMatch(BilledCall::billed);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void failsTwiceAndThenAnswers(Dialect dialect) throws Exception {
        for (int status : new int[] {500, 500, 200}) {
            assertThat(client(dialect).ask("error-500-twice").status()).isEqualTo(status);
        }
        assertThat(stub.ledger().billed(key).calls()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void callsToolsForAsManyRoundsAsNamed(Dialect dialect) throws Exception {
        for (int rounds = 1; rounds <= 3; rounds++) {
            String model = "tools-" + rounds;
            assertThat(rounds(dialect, model, 10)).isEqualTo(rounds);
        }
        assertThat(rounds(dialect, "tools-forever", 10)).isEqualTo(10);
        assertThat(rounds(dialect, "tools-parallel", 10)).isEqualTo(1);
    }

    /** Answers every tool call until the model wants no more. */
    private int rounds(Dialect dialect, String model, int atMost) throws Exception {
        Map<String, Object> request = dialect.request(model, true);
        int rounds = 0;
        while (rounds < atMost && dialect.goOn(request, client(dialect).post(model, request))) {
            rounds++;
        }
        return rounds;
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void streamsTheArgumentsOfTools(Dialect dialect) throws Exception {
        Map<String, Object> request = dialect.request("tools-1", true);
        dialect.streamed(request);

        assertThat(dialect.arguments(client(dialect).stream("tools-1", request)))
                .isEqualTo("{\"city\":\"Paris\"}");
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void billsACutStreamUpToTheCut(Dialect dialect) throws Exception {
        assertThatThrownBy(() -> client(dialect).stream("cut-after-3", streamed(dialect, "cut-after-3")))
                .isInstanceOf(IOException.class);
        assertThat(onlyCall())
                .returns(3L, BilledCall::completionTokens)
                .returns(3, BilledCall::chunks)
                .returns(false, BilledCall::clientLeft);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void endsAStreamAsIfThatWereAll(Dialect dialect) throws Exception {
        List<Map<String, Object>> events = client(dialect).stream("ends-after-3", streamed(dialect, "ends-after-3"));

        assertThat(TextPieces.of(dialect.text(events))).hasSize(3);
        assertThat(onlyCall().completionTokens()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void tellsOfAnErrorInMidStream(Dialect dialect) throws Exception {
        for (int tokens : new int[] {0, 3}) {
            String model = "error-event-after-" + tokens;
            List<Map<String, Object>> events = client(dialect).stream(model, streamed(dialect, model));

            assertThat(TextPieces.of(dialect.text(events))).hasSize(tokens);
            assertThat(dialect.errorMessage(events.get(events.size() - 1)))
                    .asString()
                    .contains(model);
        }
        assertThat(stub.ledger().calls(key))
                .extracting(BilledCall::completionTokens)
                .containsExactly(0L, 3L);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void billsWhatWasSentWhenTheClientLeavesAStreamThatIsSilent(Dialect dialect) throws Exception {
        for (int tokens : new int[] {1, 5}) {
            String model = "stalls-after-" + tokens;
            client(dialect).leaveAfter(model, streamed(dialect, model), dialect.contentMark(), tokens);
        }
        assertThat(stub.ledger().awaitLeftByClient(key, 2, AT_MOST))
                .extracting(BilledCall::completionTokens)
                .containsExactlyInAnyOrder(1L, 5L);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void goesOnWithAStalledStreamWhenReleased(Dialect dialect) throws Exception {
        String model = "stalls-after-4";
        Thread releaser = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                stub.release();
                Thread.onSpinWait();
            }
        });
        releaser.start();
        try {
            List<Map<String, Object>> events = client(dialect).stream(model, streamed(dialect, model));
            assertTold(dialect.told(events), onlyCall());
        } finally {
            releaser.interrupt();
            releaser.join();
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void sendsAnEndlessStreamUntilTheClientLeaves(Dialect dialect) throws Exception {
        client(dialect).leaveAfter("endless", streamed(dialect, "endless"), "word", 10);

        BilledCall call = stub.ledger().awaitLeftByClient(key, 1, AT_MOST).get(0);
        assertThat(call.completionTokens()).isGreaterThanOrEqualTo(10).isEqualTo(call.chunks());
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void noticesThatAClientLeavesACallThatIsNeverAnswered(Dialect dialect) throws Exception {
        assertThatThrownBy(() -> client(dialect).askWithin(Duration.ofMillis(300), "timeout-input"))
                .isInstanceOf(HttpTimeoutException.class);

        BilledCall call = stub.ledger().awaitLeftByClient(key, 1, AT_MOST).get(0);
        assertThat(call.promptTokens()).isPositive();
        assertThat(call.completionTokens()).isZero();
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void refusesWhatIsNoRequest(Dialect dialect) throws Exception {
        for (String body : List.of("{", "[]", "{}")) {
            assertThat(client(dialect).postText(dialect.path("ok", false), body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(stub.ledger().calls(key)).isEmpty();
    }
}
