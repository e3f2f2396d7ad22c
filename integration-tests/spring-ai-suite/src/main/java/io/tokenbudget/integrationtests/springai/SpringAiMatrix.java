package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.testkit.matrix.BlockingCallMatrix;
import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Cell;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.KnownDeviation;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.Row;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;

/** The matrix for models that are asked in one {@link Asking way}. */
abstract class SpringAiMatrix extends BlockingCallMatrix<ChatModel> {
    private static final String QUESTION = "What will the weather be like?";

    @Parameter
    @SuppressWarnings("NullAway.Init") // before all tests
    Provider provider;

    private final Generation generation = Generation.present();
    private final Asking asking;

    SpringAiMatrix(Asking asking) {
        this.asking = asking;
    }

    @Override
    protected Provider provider() {
        return provider;
    }

    @Override
    protected List<Deviation> deviations() {
        return KnownDeviation.present(Deviations.ALL, Line.present(), provider, false);
    }

    /** What runs tools in the models of this run. */
    ToolCallingManager manager() {
        return ToolCallingManager.builder().build();
    }

    @Override
    protected ChatModel model(ModelSpec spec) {
        return generation.model(spec, ToolCallingManager.builder().build());
    }

    @Override
    protected ChatModel metered(ModelSpec spec) {
        return metered(generation.model(spec, manager()));
    }

    @Override
    protected String ask(ChatModel model, String question) {
        return asking.ask(model, manager(), question);
    }

    @Override
    protected String askWithTool(ChatModel model, String question, Supplier<String> tool) {
        return asking.ask(model, manager(), question, Tools.weather(tool, false));
    }

    @Override
    protected int askForNumber(ChatModel model, String question) {
        Integer number = generation
                .client(model, manager())
                .prompt()
                .user(question)
                .call()
                .entity(Integer.class);
        return Objects.requireNonNull(number);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("C6: an advisor that throws changes nothing in what is booked")
    @Row(
            provider = "`ok`, and an advisor throws before or after the call",
            booked = "nothing is called, or to the token")
    void anAdvisorThatThrowsChangesNothing(boolean afterTheCall) {
        Cell cell = cell("advisor-throws-" + afterTheCall);
        ChatClient client = generation
                .client(metered(cell.spec("ok")), manager())
                .mutate()
                .defaultAdvisors(new ThrowingAdvisor(afterTheCall))
                .build();

        assertThatThrownBy(() -> client.prompt().user(QUESTION).call().content())
                .hasMessage("the advisor's own");

        assertThat(cell.requests()).isEqualTo(afterTheCall ? 1 : 0);
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.requests());
    }

    @Override
    protected ChatModel decorated(Layer layer, ChatModel model) {
        return Decorated.by(layer, model);
    }

    @Test
    @DisplayName("C4: a client with a memory advisor")
    @Row(provider = "`ok` twice, the second time with the first in the prompt", booked = "both calls to the token")
    void aConversationIsBookedWithItsHistory() {
        Cell cell = cell("memory");
        ChatMemory memory = MessageWindowChatMemory.builder().build();
        ChatClient client = generation
                .client(metered(cell.spec("ok")), manager())
                .mutate()
                .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
                .build();

        for (String question : List.of("What is the weather?", "And tomorrow?")) {
            client.prompt()
                    .user(question)
                    .advisors(spec -> spec.param(ChatMemory.CONVERSATION_ID, "one"))
                    .call()
                    .content();
        }

        assertThat(memory.get("one")).hasSize(4);
        cell.assertBooked(Booking.TO_THE_TOKEN, 2);
    }

    @Test
    @DisplayName("C1: a JDK proxy around a model opens no second charge")
    @Row(provider = "`ok` twice, through a proxy", booked = "both calls to the token")
    void aProxyOpensNoSecondCharge() {
        Cell cell = cell("proxy");
        ChatModel target = metered(cell.spec("ok"));
        ChatModel proxy = metered((ChatModel) Proxy.newProxyInstance(
                ChatModel.class.getClassLoader(),
                new Class<?>[] {ChatModel.class},
                (self, method, arguments) -> method.invoke(target, arguments)));

        ask(proxy, QUESTION);
        proxy.call(QUESTION);

        cell.assertBooked(Booking.TO_THE_TOKEN, 2);
    }

    @Test
    @DisplayName("C2: a tool that returns directly ends the call without another round")
    @Row(provider = "`tools-1`, and the tool returns directly", booked = "the one round to the token")
    void aToolThatReturnsDirectlyEndsTheCall() {
        Cell cell = cell("return-direct");

        String answer =
                asking.ask(metered(cell.spec("tools-1")), manager(), QUESTION, Tools.weather(() -> "mild", true));

        assertThat(answer).contains("mild");
        assertThat(cell.requests()).isOne();
        cell.assertBooked(Booking.TO_THE_TOKEN, 1);
    }

    @Test
    @DisplayName("C1: a model called by a tool of a manager that nobody meters is a call of its own, again and again")
    @Row(
            provider = "`tools-1` twice, and `ok` inside the tool, under a tool manager that is not metered",
            booked = "all six calls to the token")
    void aManagerThatNobodyMetersHidesNoCall() {
        Cell cell = cell("plain-manager");
        ChatModel inner = metered(cell.spec("ok"));
        ChatModel outer = metered(model(cell.spec("tools-1")));

        for (int time = 0; time < 2; time++) {
            asking.ask(
                    outer,
                    ToolCallingManager.builder().build(),
                    QUESTION,
                    Tools.weather(() -> ask(inner, QUESTION), false));
        }

        assertThat(cell.requests()).isEqualTo(6);
        cell.assertBooked(Booking.TO_THE_TOKEN, cell.booked().metered());
    }

    private record ThrowingAdvisor(boolean afterTheCall) implements CallAdvisor {
        @Override
        public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
            if (afterTheCall) {
                chain.nextCall(request);
            }
            throw new IllegalStateException("the advisor's own");
        }

        @Override
        public String getName() {
            return "throws";
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }
}
