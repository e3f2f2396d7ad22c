package io.tokenbudget.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Says what a test wants, when it wants it: at once, or later to the handler that it was given. */
final class FakeStreamingModel implements StreamingChatModel {
    final List<LaterHandler> handlers = new ArrayList<>();
    Consumer<StreamingChatResponseHandler> atOnce = handler -> {};
    int calls;

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        calls++;
        if (handler instanceof LaterHandler later) {
            handlers.add(later);
        }
        atOnce.accept(handler);
    }

    /** The handler of the last call. */
    LaterHandler handler() {
        return handlers.get(handlers.size() - 1);
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return ChatRequestParameters.builder().modelName("fake-1").build();
    }

    @Override
    public String toString() {
        return "fake";
    }

    static ChatResponse response(int input, int output) {
        return ChatResponse.builder()
                .aiMessage(AiMessage.from("hi"))
                .tokenUsage(new TokenUsage(input, output))
                .build();
    }

    static ChatResponse withoutUsage() {
        return ChatResponse.builder().aiMessage(AiMessage.from("hi")).build();
    }

    /** Throws a checked exception where none is declared, as Kotlin does and Lombok. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "DoNotCallSuggester"})
    static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** A handler as later versions of LangChain4j have it. */
    interface LaterHandler extends StreamingChatResponseHandler {
        default void onPartialResponse(Piece piece, Context context) {
            onPartialResponse(piece.text());
        }

        default void onPartialThinking(Piece thinking) {}

        default void onPartialToolCall(ToolPiece piece) {}

        default void onPartialToolCall(ToolPiece piece, Context context) {
            onPartialToolCall(piece);
        }

        default void onCompleteToolCall(WholeTool tool) {}

        default void onSomethingThatIsYetToCome(Object event) {}
    }

    record Piece(String text) {}

    record ToolPiece(int index, String name, String partialArguments) {}

    record WholeTool(int index, dev.langchain4j.agent.tool.ToolExecutionRequest toolExecutionRequest) {}

    public record Context(StreamingHandle streamingHandle) {}

    /** Writes down what it is told. */
    static class Recorder implements LaterHandler {
        final List<String> heard = new ArrayList<>();
        final List<Throwable> errors = new ArrayList<>();
        final List<Context> contexts = new ArrayList<>();
        Consumer<String> then = signal -> {};

        void hear(String signal) {
            heard.add(signal);
            then.accept(signal);
        }

        @Override
        public void onPartialResponse(String piece) {
            hear(piece);
        }

        @Override
        public void onPartialResponse(Piece piece, Context context) {
            contexts.add(context);
            hear(piece.text());
        }

        @Override
        public void onSomethingThatIsYetToCome(Object event) {
            hear(String.valueOf(event));
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            hear("complete");
        }

        @Override
        public void onError(Throwable error) {
            errors.add(error);
            hear("error");
        }
    }

    /** A provider's handle. */
    static final class Handle implements StreamingHandle {
        boolean cancelled;
        boolean unsupported;

        @Override
        public void cancel() {
            if (unsupported) {
                throw new UnsupportedOperationException("no cancelling here");
            }
            cancelled = true;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }
    }
}
