package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.guardrail.StreamingToSynchronousChatExecutor;
import dev.langchain4j.http.client.Caller;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.metering.TextTokens;
import io.tokenbudget.langchain4j.FakeStreamingModel.Context;
import io.tokenbudget.langchain4j.FakeStreamingModel.Handle;
import io.tokenbudget.langchain4j.FakeStreamingModel.Piece;
import io.tokenbudget.langchain4j.FakeStreamingModel.Recorder;
import io.tokenbudget.langchain4j.FakeStreamingModel.ToolPiece;
import io.tokenbudget.langchain4j.FakeStreamingModel.WholeTool;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C5 streams: a metered streaming model of LangChain4j")
class MeteredStreamingChatModelTest {
    private static final String WORDS = "some words of an answer ";
    private static final ChatRequest QUESTION =
            ChatRequest.builder().messages(UserMessage.from("hello")).build();

    private final Budget budget = new Budget(1000);
    private final FakeStreamingModel fake = new FakeStreamingModel();
    private final StreamingChatModel model = MeteredStreamingChatModel.wrap(fake, budget.meter());
    private final Recorder application = new Recorder();

    /** Input, as it is estimated. */
    private final long input =
            RequestEstimate.of(budget.meter(), fake, QUESTION).inputTokens();

    private void begin() {
        model.doChat(QUESTION, application);
        assertThat(budget.meter().current()).isNull();
        assertThat(budget.held()).isPositive();
        assertThat(budget.used()).isZero();
    }

    private void assertBooked(long tokens) {
        assertThat(budget.used()).isEqualTo(tokens);
        assertThat(budget.held()).isZero();
        assertThat(budget.report().reservations().expired()).isZero();
        assertThat(budget.notices).isEmpty();
    }

    @Test
    void booksTheUsageOfTheCompleteAnswerBeforeTheApplicationHearsOfIt() {
        application.then = signal -> assertThat(budget.used()).isEqualTo(signal.equals("complete") ? 70 : 0);
        begin();
        fake.handler().onPartialResponse("hi");
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 20));

        assertThat(application.heard).containsExactly("hi", "complete");
        assertBooked(70);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void C9_aCheckedExceptionThatTheHandlerThrowsComesToItsOnErrorAsItself(int layers) {
        Exception thrown = new IOException("the client is gone");
        StreamingChatModel metered = model;
        for (int i = 1; i < layers; i++) {
            metered = MeteredStreamingChatModel.wrap(metered, budget.meter());
        }
        application.then = signal -> {
            if (signal.equals("hi")) {
                FakeStreamingModel.<RuntimeException>sneak(thrown);
            }
        };
        fake.atOnce = handler -> {
            try {
                handler.onPartialResponse("hi");
            } catch (RuntimeException e) {
                handler.onError(e);
            }
            handler.onCompleteResponse(FakeStreamingModel.response(50, 20));
        };
        metered.doChat(QUESTION, application);

        assertThat(application.errors).containsExactly(thrown);
        assertThat(application.heard).containsExactly("hi", "error", "complete");
        assertBooked(70);
    }

    @Test
    void metersEveryWayToCallOnce() {
        fake.atOnce = handler -> handler.onCompleteResponse(FakeStreamingModel.response(50, 20));
        model.chat("hello", application);
        model.chat(List.of(UserMessage.from("hello")), application);
        model.chat(QUESTION, application);
        model.doChat(QUESTION, application);

        assertThat(fake.calls).isEqualTo(4);
        assertThat(budget.report().calls().metered()).isEqualTo(4);
        assertBooked(4 * 70);
    }

    @Test
    void everySignalReachesTheApplicationAsItselfAlsoOnesThatLangChain4jHasNotYet() {
        begin();
        Context context = new Context(new Handle());
        fake.handler().onPartialResponse(new Piece("one"), context);
        fake.handler().onPartialResponse("two");
        fake.handler().onSomethingThatIsYetToCome("three");

        assertThat(application.heard).containsExactly("one", "two", "three");
        assertThat(application.contexts).hasSize(1);
        assertThat(fake.handler()).hasToString(application.toString()).isEqualTo(application);
        assertThat(fake.handler().hashCode()).isEqualTo(application.hashCode());
    }

    @Test
    void countsTextThinkingAndToolCallsOnceWhereTheProviderGivesNoUsage() {
        Context context = new Context(new Handle());
        begin();
        fake.handler().onPartialThinking(new Piece(WORDS));
        fake.handler().onPartialResponse(new Piece(WORDS), context);
        fake.handler().onPartialResponse(WORDS);
        fake.handler().onPartialToolCall(new ToolPiece(0, "weather", "{\"town\":"), context);
        fake.handler().onPartialToolCall(new ToolPiece(0, "weather", "\"Kiel\"}"));
        fake.handler().onCompleteToolCall(new WholeTool(0, tool("weather", "{\"town\":\"Kiel\"}")));
        fake.handler().onCompleteToolCall(new WholeTool(1, tool("clock", "{}")));
        fake.handler().onCompleteResponse(FakeStreamingModel.withoutUsage());

        assertThat(budget.report().calls().usageMissing()).isOne();
        assertBooked(input
                + TextTokens.estimate(WORDS + WORDS + WORDS + "weather" + "{\"town\":\"Kiel\"}" + "clock" + "{}"));
    }

    @Test
    void anErrorOfTheProviderBeforeAnythingFlowsIsRefunded() {
        begin();
        fake.handler().onError(new HttpException(429, "slow down"));

        assertThat(application.heard).containsExactly("error");
        assertThat(budget.report().reservations().refunded()).isOne();
        assertBooked(0);
    }

    @Test
    void anErrorInMidStreamBooksWhatFlowedAndTheCompletionAfterItChangesNothing() {
        begin();
        fake.handler().onPartialResponse(WORDS);
        fake.handler().onError(new RuntimeException("the provider is tired"));
        assertBooked(input + TextTokens.estimate(WORDS));
        fake.handler().onCompleteResponse(FakeStreamingModel.withoutUsage());

        assertThat(application.heard).containsExactly(WORDS, "error", "complete");
        assertBooked(input + TextTokens.estimate(WORDS));
    }

    @Test
    void aClosedConnectionThatLooksLikeAnEndBooksWhatFlowed() {
        begin();
        fake.handler().onPartialResponse(WORDS);
        fake.handler().onCompleteResponse(FakeStreamingModel.withoutUsage());

        assertBooked(input + TextTokens.estimate(WORDS));
    }

    @Test
    void aBrokenConnectionBooksWhatFlowed() {
        begin();
        fake.handler().onPartialResponse(WORDS);
        fake.handler().onError(new RuntimeException(new EOFException("closed")));

        assertBooked(input + TextTokens.estimate(WORDS));
    }

    @Test
    void R4_whatTheApplicationsHandlerThrowsIsNoEnd() {
        begin();
        IllegalStateException itsOwn = new IllegalStateException("a bug of the application");
        application.then = signal -> {
            if (signal.equals(WORDS)) {
                throw itsOwn;
            }
        };
        assertThatThrownBy(() -> fake.handler().onPartialResponse(WORDS)).isSameAs(itsOwn);
        fake.handler().onError(itsOwn);
        assertThat(budget.held()).isPositive();
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 20));

        assertThat(application.heard).containsExactly(WORDS, "error", "complete");
        assertBooked(70);
    }

    @Test
    void anErrorThatTheApplicationsHandlerThrowsEndsTheStreamAndBooksWhatFlowed() {
        begin();
        application.then = signal -> {
            if (signal.equals(WORDS)) {
                throw new StackOverflowError();
            }
        };
        assertThatThrownBy(() -> fake.handler().onPartialResponse(WORDS))
                .isInstanceOf(StackOverflowError.class)
                .satisfies(thrown -> fake.handler().onError(new CompletionException(thrown)));

        assertBooked(input + TextTokens.estimate(WORDS));
    }

    @Test
    void aCancelByTheApplicationBooksWhatFlowedAtOnceAndClosesTheStream() {
        Handle handle = new Handle();
        begin();
        fake.handler().onPartialResponse(new Piece(WORDS), new Context(handle));
        application.contexts.get(0).streamingHandle().cancel();

        assertThat(handle.cancelled).isTrue();
        assertThat(application.contexts.get(0).streamingHandle().isCancelled()).isTrue();
        assertBooked(input + TextTokens.estimate(WORDS));
        fake.handler().onError(new RuntimeException("closed"));
        assertBooked(input + TextTokens.estimate(WORDS));
    }

    @Test
    void aStreamThatCannotBeCancelledGoesOn() {
        Handle handle = new Handle();
        handle.unsupported = true;
        begin();
        fake.handler().onPartialResponse(new Piece(WORDS), new Context(handle));

        assertThatThrownBy(() -> application.contexts.get(0).streamingHandle().cancel())
                .isInstanceOf(UnsupportedOperationException.class);
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 20));
        assertBooked(70);
    }

    @Test
    void aCancelAfterTheEndChangesNothing() {
        begin();
        fake.handler().onPartialResponse(new Piece(WORDS), new Context(new Handle()));
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 20));
        application.contexts.get(0).streamingHandle().cancel();

        assertBooked(70);
    }

    @Test
    void aStreamWhoseBudgetIsUsedUpIsClosedAndEndsWithOneRefusal() {
        Handle handle = new Handle();
        begin();
        int pieces = 0;
        while (!handle.cancelled && pieces < 100) {
            fake.handler().onPartialResponse(new Piece(WORDS.repeat(10)), new Context(handle));
            pieces++;
        }
        fake.handler().onPartialResponse(new Piece(WORDS), new Context(handle));
        fake.handler().onError(new RuntimeException("closed"));
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 2000));

        assertThat(application.heard).hasSize(pieces).last().isEqualTo("error");
        assertThat(application.errors).singleElement().isInstanceOf(LimitExceededException.class);
        assertBooked(input + TextTokens.estimate(WORDS.repeat(10 * pieces)));
    }

    @Test
    void aStreamWithoutAHandleIsClosedByAnErrorWhereThatClosesIt() {
        begin();
        assertThatThrownBy(() -> Caller.call(this::flowUntilTheApplicationHearsAnError))
                .isInstanceOf(StreamCut.class);

        fake.handler().onError(new CompletionException(new StreamCut(null)));
        assertThat(application.errors).singleElement().isInstanceOf(LimitExceededException.class);
    }

    @Test
    void aStreamThatCannotBeClosedIsNotForwardedAnyMore() {
        begin();
        flowUntilTheApplicationHearsAnError();
        long booked = budget.used();
        fake.handler().onPartialResponse(WORDS);
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 20));

        assertThat(application.errors).singleElement().isInstanceOf(LimitExceededException.class);
        assertThat(application.heard).last().isEqualTo("error");
        assertBooked(booked);
    }

    private void flowUntilTheApplicationHearsAnError() {
        for (int piece = 0; piece < 100 && application.errors.isEmpty(); piece++) {
            fake.handler().onPartialResponse(WORDS.repeat(10));
        }
    }

    @Test
    void aCallThatIsRefusedNeverReachesTheModelAndEndsWithOneError() {
        useUp();
        int calls = fake.calls;
        model.chat(QUESTION, application);

        assertThat(application.heard).containsExactly("error");
        assertThat(application.errors)
                .singleElement()
                .isInstanceOf(LimitExceededException.class)
                .asString()
                .contains("1000 tokens per 1h");
        assertThat(fake.calls).isEqualTo(calls);
        assertThat(budget.meter().current()).isNull();
        assertThat(budget.held()).isZero();
    }

    @Test
    void C8_theNextRoundOfAToolLoopIsRefusedThroughItsOwnHandler() {
        Recorder next = new Recorder();
        application.then = signal -> {
            useUp();
            model.doChat(QUESTION, next);
        };
        begin();
        fake.handler().onCompleteResponse(FakeStreamingModel.response(50, 20));

        assertThat(application.heard).containsExactly("complete");
        assertThat(next.errors).singleElement().isInstanceOf(LimitExceededException.class);
        assertThat(budget.held()).isZero();
    }

    @Test
    void C8_whoWaitsForAnAnswerAndIsDeafToErrorsIsThrownTheRefusal() {
        useUp();

        assertThatThrownBy(() -> StreamingToSynchronousChatExecutor.execute(model, "hello"))
                .isInstanceOf(LimitExceededException.class);
    }

    @Test
    void C8_whoWaitsForAnAnswerAndIsDeafToErrorsIsThrownTheRefusalThatCutsIt() {
        fake.atOnce = handler -> {
            for (int i = 0; i < 100; i++) {
                handler.onPartialResponse(WORDS.repeat(10));
            }
        };

        assertThatThrownBy(() -> StreamingToSynchronousChatExecutor.execute(model, "hello")
                        .aiMessage())
                .isInstanceOf(LimitExceededException.class);
    }

    private void useUp() {
        FakeStreamingModel other = new FakeStreamingModel();
        other.atOnce = handler -> handler.onCompleteResponse(FakeStreamingModel.response(900, 100));
        MeteredStreamingChatModel.wrap(other, budget.meter()).doChat(QUESTION, new Recorder());
    }

    @Test
    void whatTheMethodThrowsIsBookedAsAFailure() {
        HttpException rejected = new HttpException(401, "who are you?");
        fake.atOnce = handler -> {
            throw rejected;
        };

        assertThatThrownBy(() -> model.doChat(QUESTION, application)).isSameAs(rejected);
        assertThat(application.heard).isEmpty();
        assertBooked(0);
    }

    @Test
    void C1_aDecoratorOpensNoSecondChargeOnWhateverThread() throws Exception {
        FakeStreamingModel inner = new FakeStreamingModel();
        inner.atOnce = handler -> {
            handler.onPartialResponse("hi");
            handler.onCompleteResponse(FakeStreamingModel.response(50, 20));
        };
        StreamingChatModel metered = MeteredStreamingChatModel.wrap(inner, budget.meter());
        for (boolean elsewhere : List.of(false, true)) {
            Decorator decorator = new Decorator(metered, elsewhere);
            StreamingChatModel outer = MeteredStreamingChatModel.wrap(decorator, budget.meter());
            outer.chat(QUESTION, application);
            outer.chat(QUESTION, application);
        }

        assertThat(application.heard).hasSize(8);
        assertThat(budget.report().calls().metered()).isEqualTo(4);
        assertBooked(4 * 70);
    }

    @Test
    void C1_aDecoratorOnAnotherThreadIsBookedOnceAlsoWhereItsStreamIsCancelledOrCut() {
        for (boolean cancels : List.of(true, false)) {
            Budget ofThis = new Budget(2000);
            Handle handle = new Handle();
            FakeStreamingModel inner = new FakeStreamingModel();
            inner.atOnce = handler -> {
                while (!handle.cancelled) {
                    ((FakeStreamingModel.LaterHandler) handler)
                            .onPartialResponse(new Piece(WORDS.repeat(10)), new Context(handle));
                }
            };
            StreamingChatModel metered = MeteredStreamingChatModel.wrap(inner, ofThis.meter());
            FakeStreamingModel decorator = new FakeStreamingModel();
            decorator.atOnce = handler -> CompletableFuture.runAsync(() -> metered.doChat(QUESTION, handler))
                    .join();
            Recorder hears = new Recorder();
            hears.then = signal -> {
                if (cancels && hears.heard.size() == 5) {
                    hears.contexts.get(4).streamingHandle().cancel();
                }
            };
            MeteredStreamingChatModel.wrap(decorator, ofThis.meter()).doChat(QUESTION, hears);

            int pieces = cancels ? 5 : hears.heard.size();
            assertThat(hears.errors).hasSize(cancels ? 0 : 1);
            assertThat(ofThis.used())
                    .as(cancels ? "cancelled" : "cut")
                    .isEqualTo(input + TextTokens.estimate(WORDS.repeat(10 * pieces)));
            assertThat(ofThis.held()).isZero();
            assertThat(ofThis.report().calls().metered()).isOne();
            assertThat(ofThis.notices).isEmpty();
        }
    }

    interface OwnSignals {
        void begins();
    }

    @Test
    void C9_interfacesThatOnlyTheApplicationCanCallReachItsHandler() {
        class OwnHandler extends Recorder implements OwnSignals {
            @Override
            public void begins() {
                heard.add("begins");
            }
        }
        OwnHandler own = new OwnHandler();
        fake.atOnce = handler -> {
            ((OwnSignals) handler).begins();
            handler.onCompleteResponse(FakeStreamingModel.response(50, 20));
        };
        model.doChat(QUESTION, own);

        assertThat(own.heard).containsExactly("begins", "complete");
        assertBooked(70);
    }

    @Test
    void C9_aHandlerWhoseInterfacesNameAMissingClassIsMeteredLikeAnyOther() throws Exception {
        StreamingChatResponseHandler handler = MissingClass.handlerThatNamesOne(application);
        fake.atOnce = model -> {
            model.onPartialResponse("hi");
            model.onCompleteResponse(FakeStreamingModel.response(50, 20));
        };
        model.doChat(QUESTION, handler);

        assertThat(budget.meter().current()).isNull();
        assertThat(application.heard).containsExactly("hi", "complete");
        assertBooked(70);
    }

    @Test
    void C9_aStreamThatFlowsWhileItsMethodRunsIsCutWithoutAnErrorOfOurs() {
        fake.atOnce = handler -> Caller.call(() -> {
            for (int piece = 0; piece < 100; piece++) {
                handler.onPartialResponse(WORDS.repeat(10));
            }
        });
        model.doChat(QUESTION, application);

        assertThat(application.errors).singleElement().isInstanceOf(LimitExceededException.class);
        assertThat(application.heard).last().isEqualTo("error");
        assertBooked(input + TextTokens.estimate(WORDS.repeat(10 * application.heard.size())));
    }

    private record Decorator(StreamingChatModel model, boolean elsewhere) implements StreamingChatModel {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            Runnable call = () -> model.chat(request, handler);
            if (elsewhere) {
                CompletableFuture.runAsync(call).join();
            } else {
                call.run();
            }
        }

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return model.defaultRequestParameters();
        }
    }

    @Test
    void C1_whatAHandlerAsksWhileTheModelCallsItIsACallOfItsOwn() {
        FakeStreamingModel other = new FakeStreamingModel();
        other.atOnce = handler -> handler.onCompleteResponse(FakeStreamingModel.response(10, 5));
        StreamingChatModel translator = MeteredStreamingChatModel.wrap(other, budget.meter());
        application.then = signal -> translator.doChat(QUESTION, new Recorder());
        fake.atOnce = handler -> {
            handler.onPartialResponse("hi");
            handler.onCompleteResponse(FakeStreamingModel.response(50, 20));
        };
        model.doChat(QUESTION, application);

        assertThat(budget.report().calls().metered()).isEqualTo(3);
        assertBooked(70 + 15 + 15);
    }

    @Test
    void passesOnWhatIsNoQuestion() {
        @Nullable StreamingChatResponseHandler none = null;
        model.doChat(QUESTION, none);

        assertThat(fake.calls).isOne();
        assertThat(model.defaultRequestParameters().modelName()).isEqualTo("fake-1");
        assertThat(model).hasToString("MeteredStreamingChatModel[fake]");
        assertBooked(0);
    }

    private static ToolExecutionRequest tool(String name, String arguments) {
        return ToolExecutionRequest.builder().name(name).arguments(arguments).build();
    }
}
