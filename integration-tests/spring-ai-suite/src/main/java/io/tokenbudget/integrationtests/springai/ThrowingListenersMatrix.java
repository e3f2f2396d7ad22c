package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.Way;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.model.observation.ModelObservationContext;
import org.springframework.ai.model.tool.ToolCallingManager;

/** C6: what a listener of the application's throws, which Spring AI calls by Micrometer's observations, changes nothing. */
@Tag("accounting-matrix")
@Tag("listeners")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ThrowingListenersMatrix {
    private static final String QUESTION = "What will the weather be like on Sunday?";
    private static final String ITS_OWN = "the listener's own";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final Generation generation = Generation.present();

    @SuppressWarnings("NullAway.Init") // before all tests
    private ProviderStub stub;

    private BudgetsSnapshot before = new BudgetsSnapshot(
            List.of(), new BudgetsSnapshot.Reservations(0, 0, 0, 0, 0), new BudgetsSnapshot.Calls(0, 0, 0));

    abstract Way way();

    abstract ToolCallingManager manager();

    abstract ChatModel metered(ChatModel model);

    abstract <M> M metered(Class<M> type, M model);

    /** What an application does with the registry of its listeners, where it has to do anything. */
    abstract void prepare(ObservationRegistry listeners);

    @BeforeAll
    void startProvider() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    void stopProvider() {
        stub.close();
    }

    /** When a listener throws. */
    enum When {
        STARTS,
        FAILS,
        STOPS
    }

    private record Throwing(When when, AtomicInteger countdown)
            implements ObservationHandler<ModelObservationContext<?, ?>> {
        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof ModelObservationContext;
        }

        @Override
        public void onStart(ModelObservationContext<?, ?> context) {
            at(When.STARTS);
        }

        @Override
        public void onError(ModelObservationContext<?, ?> context) {
            at(When.FAILS);
        }

        @Override
        public void onStop(ModelObservationContext<?, ?> context) {
            at(When.STOPS);
        }

        private void at(When now) {
            if (now == when && countdown.decrementAndGet() == 0) {
                throw new IllegalStateException(ITS_OWN);
            }
        }
    }

    /** Listeners of which one throws the {@code time}-th time. */
    private ObservationRegistry throwing(When when, int time) {
        ObservationRegistry listeners = ObservationRegistry.create();
        prepare(listeners);
        listeners.observationConfig().observationHandler(new Throwing(when, new AtomicInteger(time)));
        return listeners;
    }

    private ChatModel model(Provider provider, String cell, String scenario, ObservationRegistry listeners) {
        before = way().budgets();
        Duration timeout = scenario.startsWith("timeout") ? SHORT : PATIENCE;
        ModelSpec spec = new ModelSpec(provider, stub.baseUrl(), cell, cell + '/' + scenario, null, 0, timeout);
        return metered(generation.model(spec, manager(), listeners));
    }

    private OtherModels.At at(String cell) {
        before = way().budgets();
        return new OtherModels.At(stub.baseUrl(), cell, cell + "/ok", throwing(When.STOPS, 1));
    }

    private long used(String cell, String unit) {
        return way().budgets().used("model:" + cell + '/', unit);
    }

    private long billed(String cell) {
        return stub.ledger().billed(cell).totalTokens();
    }

    private void assertCalls(int metered, int usageMissing) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (way().budgets().reservations().held() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        BudgetsSnapshot now = way().budgets();
        assertThat(now.calls().metered() - before.calls().metered())
                .as("metered")
                .isEqualTo(metered);
        assertThat(now.calls().usageMissing() - before.calls().usageMissing())
                .as("usage missing")
                .isEqualTo(usageMissing);
        assertThat(now.calls().unmetered()).as("unmetered").isZero();
        assertThat(now.reservations().held()).as("held").isZero();
        assertThat(way().notices()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "ANTHROPIC", "OLLAMA"})
    @DisplayName("C6: a billed answer that a listener hides is booked to the token")
    void aBilledAnswerThatAListenerHidesIsBooked(Provider provider) {
        String cell = "hidden-" + provider;
        ChatModel model = model(provider, cell, "ok", throwing(When.STOPS, 1));

        assertThatThrownBy(() -> model.call(new Prompt(QUESTION))).hasMessage(ITS_OWN);

        assertThat(used(cell, "tokens")).isEqualTo(billed(cell)).isPositive();
        assertCalls(1, 0);
    }

    @ParameterizedTest
    @CsvSource({"OPENAI, 1", "OPENAI, 2", "ANTHROPIC, 2", "OLLAMA, 2"})
    @DisplayName("C6: so is each round of a tool loop")
    void soIsEachRoundOfAToolLoop(Provider provider, int round) {
        String cell = "hidden-round-" + round + '-' + provider;
        ChatModel model = model(provider, cell, "tools-1", throwing(When.STOPS, round));

        assertThatThrownBy(() -> Asking.CHAT_CLIENT.ask(model, manager(), QUESTION, Tools.weather(() -> "mild", false)))
                .hasMessage(ITS_OWN);

        assertThat(stub.ledger().calls(cell)).hasSize(round);
        assertThat(used(cell, "tokens")).isEqualTo(billed(cell)).isPositive();
        assertCalls(round, 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENAI", "ANTHROPIC", "OLLAMA"})
    @DisplayName("C6: a stream whose listener throws at its end is booked to the token, and ends well")
    void aStreamWhoseListenerThrowsIsBooked(Provider provider) {
        String cell = "stream-" + provider;
        ChatModel model = model(provider, cell, "ok", throwing(When.STOPS, 1));

        List<ChatResponse> pieces =
                model.stream(new Prompt(QUESTION)).collectList().block(PATIENCE);

        assertThat(pieces).isNotEmpty();
        assertThat(used(cell, "tokens")).isEqualTo(billed(cell)).isPositive();
        assertCalls(1, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "timeout-input, FAILS, true, false",
        "timeout-input, STOPS, true, false",
        "timeout-input, FAILS, true, true",
        "error-400, FAILS, false, false",
        "error-400, FAILS, false, true"
    })
    @DisplayName("C6: a failure that a listener hides is booked as what it is")
    void aFailureThatAListenerHidesIsBookedAsWhatItIs(String scenario, When when, boolean costs, boolean streamed) {
        String cell = "failure-" + scenario + when + streamed;
        ChatModel model = model(Provider.OPENAI, cell, scenario, throwing(when, 1));

        assertThatThrownBy(() -> {
                    if (streamed) {
                        model.stream(new Prompt(QUESTION)).blockLast(PATIENCE);
                    } else {
                        model.call(new Prompt(QUESTION));
                    }
                })
                .isInstanceOf(RuntimeException.class);

        assertThat(used(cell, "input tokens") > 0).as("costs the input").isEqualTo(costs);
        assertThat(used(cell, "output tokens")).isZero();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C6: a call that a listener prevents costs nothing")
    void aCallThatAListenerPreventsCostsNothing() {
        ChatModel model = model(Provider.OPENAI, "prevented", "ok", throwing(When.STARTS, 1));

        assertThatThrownBy(() -> model.call(new Prompt(QUESTION))).hasMessage(ITS_OWN);

        assertThat(stub.ledger().calls("prevented")).isEmpty();
        assertThat(used("prevented", "tokens")).isZero();
        assertCalls(1, 0);
    }

    @Test
    @DisplayName("C6: vectors that a listener hides are booked to the token, images as any other")
    void otherAnswersThatAListenerHidesAreBooked() {
        EmbeddingModel embeds =
                metered(EmbeddingModel.class, OtherModels.present().embedding(at("hidden-vectors")));
        assertThatThrownBy(() -> embeds.embed(QUESTION)).hasMessage(ITS_OWN);
        assertThat(used("hidden-vectors", "tokens"))
                .isEqualTo(billed("hidden-vectors"))
                .isPositive();
        assertCalls(1, 0);

        ImageModel draws = metered(ImageModel.class, OtherModels.present().image(at("hidden-image")));
        assertThatThrownBy(() -> draws.call(new ImagePrompt(QUESTION))).hasMessage(ITS_OWN);
        assertThat(used("hidden-image", "tokens")).isPositive();
        assertCalls(1, 1);
    }
}
