package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.Booking;
import io.tokenbudget.testkit.matrix.Deviation;
import io.tokenbudget.testkit.matrix.KnownDeviation;
import io.tokenbudget.testkit.matrix.Layer;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.StreamListener;
import io.tokenbudget.testkit.matrix.StreamingCallMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.Parameter;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** The matrix of streams for models that are asked in one {@link Asking way}. */
abstract class SpringAiStreamingMatrix extends StreamingCallMatrix<ChatModel> {
    @Parameter
    @SuppressWarnings("NullAway.Init") // before all tests
    Provider provider;

    private final Generation generation = Generation.present();
    private final Asking asking;

    SpringAiStreamingMatrix(Asking asking) {
        this.asking = asking;
    }

    @Override
    protected Provider provider() {
        return provider;
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
    protected ChatModel decorated(Layer layer, ChatModel model) {
        return Decorated.by(layer, model);
    }

    @Override
    protected List<Deviation> deviations() {
        Booking whatFlowed = closesSilentStreams() ? Booking.FLOWED : Booking.FLOWED_UNTIL_LEFT;
        List<Deviation> deviations =
                new ArrayList<>(KnownDeviation.present(Deviations.ALL, Line.present(), provider, true));
        deviations.add(
                new Deviation(THROWS_AT_A_PIECE, whatFlowed, "Reactor cancels a stream whose subscriber throws"));
        return deviations;
    }

    /** A request to Anthropic must have a bound. */
    @Override
    protected boolean boundsEveryCall() {
        return provider == Provider.ANTHROPIC;
    }

    /**
     * A client reads ahead on one thread and tells the application on another. With OpenAI's models, what is cancelled there
     * while the first waits for the provider is closed when the provider sends something: in 1.x the cancellation may get
     * lost between Reactor's windows, in 2.0 it waits for the reader.
     */
    @Override
    protected boolean closesSilentStreams() {
        return asking == Asking.CHAT_MODEL;
    }

    /** In 1.x the client's own operators may lose a cancellation, without us too: the provider then sends on. */
    @Override
    protected boolean tellsTheProviderForSure() {
        return asking == Asking.CHAT_MODEL || Line.present() == Line.V2_0;
    }

    @Override
    protected boolean closesSilentStreamsAtAnyTime() {
        return false;
    }

    /**
     * In 1.x the models of Anthropic and Ollama may lose a cancellation (1 of 150) that comes from another thread while
     * pieces flow, without us too: the answer then flows on to its end. One inside a callback is never lost.
     */
    @Override
    protected boolean leavesFromAnyThread() {
        return provider == Provider.OPENAI || Line.present() == Line.V2_0;
    }

    /** OpenAI's model of 1.x has a {@code switchMap}, which goes on where nobody has asked for more, as its client may not. */
    @Override
    protected boolean losesPiecesOfFastStreams() {
        return asking == Asking.CHAT_CLIENT && generation.piecesHeldBack() > 0;
    }

    @Override
    protected int piecesHeldBack() {
        return generation.piecesHeldBack();
    }

    @Override
    protected void stream(ChatModel model, String question, StreamListener listener) {
        listen(asking.stream(model, manager(), question), listener);
    }

    @Override
    protected void streamWithTool(ChatModel model, String question, Supplier<String> tool, StreamListener listener) {
        listen(asking.stream(model, manager(), question, Tools.weather(tool, false)), listener);
    }

    private static void listen(Flux<ChatResponse> stream, StreamListener listener) {
        stream.subscribe(new BaseSubscriber<>() {
            private final StringBuilder whole = new StringBuilder();
            private boolean complete;

            @Override
            protected void hookOnNext(ChatResponse chunk) {
                String text = text(chunk);
                if (!text.isEmpty()) {
                    whole.append(text);
                    listener.piece(text, this::cancel);
                }
            }

            @Override
            protected void hookOnComplete() {
                complete = true;
                listener.completed(whole.toString());
            }

            /** What is thrown on completion is dropped, as Reactor's own subscribers do. */
            @Override
            protected void hookOnError(Throwable thrown) {
                if (!complete) {
                    listener.failed(thrown);
                }
            }
        });
    }

    /** Roles, finish reasons and usage come in chunks without text. */
    private static String text(ChatResponse chunk) {
        org.springframework.ai.chat.model.Generation first = chunk.getResult();
        String text = first == null ? null : first.getOutput().getText();
        return text == null ? "" : text;
    }
}
