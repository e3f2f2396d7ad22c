package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.tokenbudget.integrationtests.langchain4j.LangChain4jMatrix.Weather;
import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.StreamListener;
import io.tokenbudget.testkit.matrix.StreamingCallMatrix;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The matrix of streams with LangChain4j's OpenAI model and AI services. */
abstract class LangChain4jStreamingMatrix extends StreamingCallMatrix<StreamingChatModel> {
    private static final long PATIENCE_SECONDS = 20;

    /** LangChain4j 1.8 brought the handle by which a stream is cancelled. */
    private static final boolean HAS_HANDLES = exists("dev.langchain4j.model.chat.response.StreamingHandle");

    private static final List<Deviation> OF_FIRST_VERSIONS = Stream.of("zero-choices", "ends-after-0")
            .map(row -> new Deviation(
                    row,
                    Booking.FLOWED_AT_EXPIRY,
                    "LangChain4j 1.0 never ends an OpenAI stream that was without content"))
            .toList();

    private static boolean exists(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }

    @Override
    protected List<Deviation> deviations() {
        return HAS_HANDLES ? List.of() : OF_FIRST_VERSIONS;
    }

    @Override
    protected StreamingChatModel model(ModelSpec spec) {
        return OpenAiStreamingChatModel.builder()
                .baseUrl(spec.baseUrl() + "/v1")
                .apiKey(spec.apiKey())
                .modelName(spec.modelName())
                .maxTokens(spec.maxOutputTokens())
                .timeout(spec.timeout())
                .build();
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
        if (HAS_HANDLES) {
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
        return HAS_HANDLES;
    }

    /** All signals of one stream come on one thread of the JDK's. */
    @Override
    protected void awaitRest(Thread teller) throws InterruptedException {
        if (teller instanceof ForkJoinWorkerThread) {
            ForkJoinPool.commonPool().awaitQuiescence(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } else {
            teller.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        }
    }

    @Override
    protected StreamingChatModel decorated(Layer layer, StreamingChatModel model) {
        return StreamingDecorators.around(layer, model);
    }

    interface Assistant {
        TokenStream answer(String question);
    }
}
