package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.tokenbudget.integrationtests.langchain4j.LangChain4jMatrix.Weather;
import io.tokenbudget.integrationtests.langchain4j.StreamingDecorators.Handing;
import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Cell;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.KnownDeviation;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.Row;
import io.tokenbudget.testkit.matrix.Seen;
import io.tokenbudget.testkit.matrix.StreamListener;
import io.tokenbudget.testkit.matrix.StreamingCallMatrix;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The matrix of streams with LangChain4j's models and AI services, once for each provider on the class path. */
@ParameterizedClass
@MethodSource("providers")
abstract class LangChain4jStreamingMatrix extends StreamingCallMatrix<StreamingChatModel> {
    private static final long PATIENCE_SECONDS = 20;

    @Parameter
    @SuppressWarnings("NullAway.Init") // before all tests
    Provider provider;

    static List<Provider> providers() {
        return Line.present().providers();
    }

    @Override
    protected Provider provider() {
        return provider;
    }

    @Override
    protected List<Deviation> deviations() {
        return KnownDeviation.present(Deviations.ALL, Line.present(), provider, true);
    }

    @Override
    protected StreamingChatModel model(ModelSpec spec) {
        return Models.streaming(spec).build(StreamingChatModel.class);
    }

    @Override
    protected void stream(StreamingChatModel model, String question, StreamListener listener) {
        model.chat(question, HandlerOf.of(listener));
    }

    @Override
    protected void streamWithTool(
            StreamingChatModel model, String question, Supplier<String> tool, StreamListener listener) {
        AiServices.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new Weather(tool))
                .build()
                .answer(question)
                .onPartialResponse(piece -> listener.piece(piece, null))
                .onCompleteResponse(
                        response -> listener.completed(response.aiMessage().text()))
                .onError(listener::failed)
                .start();
    }

    /** Before 1.8 the only way is an {@code Error} out of the callback, which closes the stream. */
    @Override
    protected void leave(Runnable cancel) {
        if (Line.present().hasHandles()) {
            cancel.run();
        } else {
            throw new Leaves();
        }
    }

    private static final class Leaves extends Error {
        private static final long serialVersionUID = 1L;

        Leaves() {
            super("the application leaves");
        }
    }

    @Override
    protected boolean leavesFromAnyThread() {
        return Line.present().hasHandles();
    }

    /** What Anthropic's client is not told, it sets. */
    @Override
    protected boolean boundsEveryCall() {
        return provider == Provider.ANTHROPIC;
    }

    /** All signals of one stream come on one thread of the JDK's, which may be one that goes on to others. */
    @Override
    protected void awaitRest(Thread teller) throws InterruptedException {
        if (teller instanceof ForkJoinWorkerThread) {
            ForkJoinPool.commonPool().awaitQuiescence(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return;
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (isInsideOfTheClient(teller) && System.nanoTime() < deadline) {
            teller.join(1);
        }
    }

    private static boolean isInsideOfTheClient(Thread teller) {
        for (StackTraceElement frame : teller.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.langchain4j.")) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected StreamingChatModel decorated(Layer layer, StreamingChatModel model) {
        return StreamingDecorators.around(layer, model);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEFT_AS_IT_IS", "LEFT_WRAPPED"})
    @DisplayName("C1, C5: an unknown decorator on another thread, and the application leaves")
    @Row(
            provider = "`stalls-after-7`, through a decorator that hands on the handler, or one of its own",
            booked = "what flowed, once")
    void aStreamThroughAnUnknownDecoratorIsBookedOnceWhereTheApplicationLeaves(Handing handing) throws Exception {
        Cell cell = cell("unknown-" + handing);
        StreamListener listener = StreamListener.leavingAfter(7, this::leave);

        stream(metered(StreamingDecorators.unknown(handing, metered(cell.spec("stalls-after-7")))), "Rain?", listener);
        listener.await();
        cell.awaitLeft(1);
        cell.awaitNothingHeld();

        cell.assertBookedAsSeen(Booking.FLOWED, listener.seen());
    }

    @ParameterizedTest
    @EnumSource(names = {"CUT_AS_IT_IS", "CUT_WRAPPED"})
    @DisplayName("C1, C5: an unknown decorator on another thread, and a budget cuts the stream")
    @Row(
            provider = "`endless`, through a decorator that hands on the handler, or one of its own",
            booked = "what flowed, once")
    void aStreamThroughAnUnknownDecoratorIsBookedOnceWhereABudgetCutsIt(Handing handing) throws Exception {
        Cell cell = cell("cut-short-unknown-" + handing);
        StreamListener listener = StreamListener.toTheEnd();
        ModelSpec spec = cell.spec("endless").withoutBound();

        stream(metered(StreamingDecorators.unknown(handing, metered(spec))), "Rain?", listener);
        listener.await();
        cell.awaitLeft(boundsEveryCall() ? 0 : 1);
        cell.awaitNothingHeld();

        assertThat(listener.seen().ends()).singleElement().matches(Seen.End::isRefusal);
        assertThat(cell.requests()).isEqualTo(boundsEveryCall() ? 0 : 1);
        if (!boundsEveryCall()) {
            cell.assertBookedAsSeen(Booking.FLOWED, listener.seen());
        }
    }

    interface Assistant {
        TokenStream answer(String question);
    }
}
