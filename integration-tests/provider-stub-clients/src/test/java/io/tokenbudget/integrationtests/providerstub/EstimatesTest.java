package io.tokenbudget.integrationtests.providerstub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallLog;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.langchain4j.MeteredChatModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The provider's tokenizer is the stub's own, which is none of ours: what each request may differ by is stated with it. */
@DisplayName("C3 estimate: what is held for the input of real requests, against what the provider counts")
class EstimatesTest {
    private static final Path TEXTS = Path.of("../../core/src/test/resources/estimates/measured");
    private static final ToolSpecification TOOL = ToolSpecification.builder()
            .name("search_flights")
            .description("Finds flights between two airports on a day, cheapest first, with one stop at most.")
            .parameters(JsonObjectSchema.builder()
                    .addStringProperty("origin", "IATA code of the airport of departure")
                    .addStringProperty("destination", "IATA code of the airport of arrival")
                    .addEnumProperty("cabin", List.of("economy", "premium", "business"))
                    .required("origin", "destination")
                    .build())
            .build();

    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    /** A kind of request, and by how many percent its first estimate may differ from what the stub counts. */
    enum Kind {
        ENGLISH(25) {
            @Override
            ChatRequest request() throws IOException {
                return ask(UserMessage.from(text("english")));
            }
        },
        GERMAN(35) {
            @Override
            ChatRequest request() throws IOException {
                return ask(UserMessage.from(text("german")));
            }
        },
        CODE(35) {
            @Override
            ChatRequest request() throws IOException {
                return ask(SystemMessage.from("You review code."), UserMessage.from(text("code")));
            }
        },
        JSON(35) {
            @Override
            ChatRequest request() throws IOException {
                return ask(UserMessage.from(text("json")));
            }
        },
        CONVERSATION(30) {
            @Override
            ChatRequest request() throws IOException {
                ToolExecutionRequest call = ToolExecutionRequest.builder()
                        .id("call-1")
                        .name(TOOL.name())
                        .arguments("{\"origin\":\"HAM\",\"destination\":\"LIS\"}")
                        .build();
                return ask(
                        SystemMessage.from(text("english").substring(0, 400)),
                        UserMessage.from("Is there a flight to Lisbon in the morning?"),
                        AiMessage.from(call),
                        ToolExecutionResultMessage.from(call, text("json").substring(0, 300)),
                        AiMessage.from("There is one at seven and one at nine."),
                        UserMessage.from("Which of the two is cheaper?"));
            }
        },
        TOOLS(60) {
            @Override
            ChatRequest request() throws IOException {
                return ChatRequest.builder()
                        .messages(UserMessage.from(text("english").substring(0, 600)))
                        .toolSpecifications(TOOL)
                        .build();
            }
        };

        final int percent;

        Kind(int percent) {
            this.percent = percent;
        }

        abstract ChatRequest request() throws IOException;

        static ChatRequest ask(ChatMessage... messages) {
            return ChatRequest.builder().messages(messages).build();
        }

        static String text(String name) throws IOException {
            return Files.readString(TEXTS.resolve(name + ".txt"));
        }
    }

    static Stream<Arguments> providersAndKinds() {
        return Stream.of(Provider.values())
                .flatMap(provider -> Stream.of(Kind.values()).map(kind -> Arguments.of(provider, kind)));
    }

    @ParameterizedTest
    @MethodSource("providersAndKinds")
    void isCloseAtFirstAndAfterAFewCallsWithinTwoPercent(Provider provider, Kind kind) throws IOException {
        Told told = new Told();
        Metering metering = new Metering(
                TokenLimiters.builder().yaml("estimates: {exact: false}").build(), told.notices::add, told);
        ChatModel model = MeteredChatModel.wrap(
                provider.blocking(stub, provider + "-" + kind, "ok"),
                metering.meter(CallerSource.of(EstimatesTest.class.getClassLoader()), RefusalFactory.OWN));
        for (int i = 0; i < 6; i++) {
            model.chat(kind.request());
        }

        assertThat(told.notices).isEmpty();
        long counted = stub.ledger().billed(provider + "-" + kind).inputTokens() / 6;
        assertThat(told.estimated).hasSize(6);
        assertThat(told.estimated.get(0)).as("at first").isCloseTo(counted, withinPercentage(kind.percent));
        assertThat(told.estimated.get(5)).as("corrected").isCloseTo(counted, withinPercentage(2));
    }

    /** What was held for the input of each call. */
    private static final class Told implements CallLog {
        final List<Long> estimated = new ArrayList<>();
        final List<String> notices = new ArrayList<>();

        @Override
        public void answered(ReservationRequest estimate, Usage actual) {
            estimated.add(estimate.inputTokens());
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
