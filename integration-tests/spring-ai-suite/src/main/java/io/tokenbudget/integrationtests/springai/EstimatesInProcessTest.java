package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallLog;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;

/** The provider's tokenizer is the stub's own, which is none of ours: what each prompt may differ by is stated with it. */
@Tag("estimates")
@DisplayName("C3 estimate: what is held for the input of Spring AI's prompts, against what the provider counts")
class EstimatesInProcessTest {
    private static final String PROSE = "The harbour office opens at six, long before the first ferry leaves, and the"
            + " square in front of the old customs house smells of diesel, wet rope and coffee. ";

    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    /** A kind of prompt, and by how many percent its first estimate may differ from what the stub counts. */
    enum Kind {
        PROSE(25) {
            @Override
            List<Message> messages() {
                return List.of(new SystemMessage("Be short."), new UserMessage(EstimatesInProcessTest.PROSE.repeat(5)));
            }
        },
        CODE(35) {
            @Override
            List<Message> messages() {
                return List.of(new UserMessage("""
                        for (Item item : shelf) {
                            if (item.sku().equals(sku)) {
                                total += item.quantity();
                            }
                        }
                        return total;
                        """));
            }
        },
        CONVERSATION(30) {
            @Override
            List<Message> messages() {
                return List.of(
                        new SystemMessage(EstimatesInProcessTest.PROSE),
                        new UserMessage("When does the office open?"),
                        new AssistantMessage("It opens at six in the morning, before the first ferry leaves."),
                        new UserMessage("And what does the square smell of? Answer with a list."));
            }
        },
        TOOLS(60) {
            @Override
            List<Message> messages() {
                return List.of(new UserMessage(EstimatesInProcessTest.PROSE.repeat(3)));
            }

            @Override
            ToolCallback[] tools() {
                return new ToolCallback[] {
                    FunctionToolCallback.builder("ferries", ignored -> "")
                            .description("The ferries of a day, with their times and what they cost")
                            .inputSchema("{\"type\":\"object\",\"properties\":{\"day\":{\"type\":\"string\","
                                    + "\"description\":\"The day as in 2026-01-31\"}},\"required\":[\"day\"]}")
                            .inputType(Map.class)
                            .build()
                };
            }
        };

        final int percent;

        Kind(int percent) {
            this.percent = percent;
        }

        abstract List<Message> messages();

        ToolCallback[] tools() {
            return new ToolCallback[0];
        }
    }

    @ParameterizedTest
    @EnumSource
    void isCloseAtFirstAndAfterAFewCallsWithinTwoPercent(Kind kind) {
        String key = kind.name();
        Told told = new Told();
        Metering metering = new Metering(
                TokenLimiters.builder().yaml("estimates: {exact: false}").build(),
                line -> {
                    throw new AssertionError(line);
                },
                told);
        CallMeter meter =
                metering.meter(CallerSource.of(EstimatesInProcessTest.class.getClassLoader()), RefusalFactory.OWN);
        Generation generation = Generation.present();
        ChatModel provider = generation.model(
                new ModelSpec(Provider.OPENAI, stub.baseUrl(), key, "estimates/ok", 50, 0, Duration.ofSeconds(20)),
                ToolCallingManager.builder().build());
        ChatModel model = MeteredChatModel.wrap(provider, meter);
        @Nullable ChatOptions options = kind.tools().length == 0 ? null : generation.withTools(provider, kind.tools());
        for (int i = 0; i < 6; i++) {
            ask(model, kind, options);
        }

        long counted = stub.ledger().billed(key).inputTokens() / 6;
        assertThat(told.held).hasSize(6);
        assertThat(told.held.get(0)).as("at first").isCloseTo(counted, withinPercentage(kind.percent));
        assertThat(told.held.get(5)).as("corrected").isCloseTo(counted, withinPercentage(2));
    }

    private static void ask(ChatModel model, Kind kind, @Nullable ChatOptions options) {
        assertThat(model.call(new Prompt(kind.messages(), options)).getResult()).isNotNull();
    }

    /** What was held for the input of each call. */
    private static final class Told implements CallLog {
        final List<Long> held = new ArrayList<>();

        @Override
        public void answered(ReservationRequest estimate, Usage actual) {
            held.add(estimate.inputTokens());
        }

        @Override
        public void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure) {
            throw new AssertionError("every call has usage");
        }

        @Override
        public void refunded(ReservationRequest estimate, Failure failure) {
            throw new AssertionError("no call fails");
        }

        @Override
        public void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal) {
            throw new AssertionError("no call is refused");
        }
    }
}
