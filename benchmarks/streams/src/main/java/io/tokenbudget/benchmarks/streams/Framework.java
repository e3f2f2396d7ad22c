package io.tokenbudget.benchmarks.streams;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** A model of each framework that answers on the caller's thread, a word at a time, and what an application does with it. */
enum Framework {
    LANGCHAIN4J {
        @Override
        void stream(int chunks, boolean ends) {
            new FlowingModel(chunks, ends)
                    .chat(
                            ChatRequest.builder()
                                    .messages(UserMessage.from("hello"))
                                    .build(),
                            new Counting());
        }
    },
    SPRING_AI {
        @Override
        void stream(int chunks, boolean ends) {
            new FlowingChatModel(chunks, ends)
                    .stream(new Prompt("hello"))
                            .subscribe(response -> seen += response.getResults().size());
        }
    };

    private static final String WORD = " weather";

    /** What the application has received: keeps the work from being left out. */
    static long seen;

    /** Streams one answer of so many chunks, on this thread. One that does not end is left as it is. */
    abstract void stream(int chunks, boolean ends);

    private record FlowingModel(int chunks, boolean ends) implements StreamingChatModel {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            PartialResponseContext context = new PartialResponseContext(new Handle());
            for (int i = 0; i < chunks; i++) {
                handler.onPartialResponse(new PartialResponse(WORD), context);
            }
            if (ends) {
                handler.onCompleteResponse(ChatResponse.builder()
                        .aiMessage(AiMessage.from(WORD))
                        .tokenUsage(new TokenUsage(10, chunks))
                        .build());
            }
        }
    }

    private static final class Handle implements StreamingHandle {
        @Override
        public void cancel() {
            throw new UnsupportedOperationException("nobody cancels here");
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }

    private static final class Counting implements StreamingChatResponseHandler {
        @Override
        public void onPartialResponse(String partial) {
            seen += partial.length();
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            seen++;
        }

        @Override
        public void onError(Throwable error) {
            throw new IllegalStateException(error);
        }
    }

    private record FlowingChatModel(int chunks, boolean ends) implements ChatModel {
        @Override
        public org.springframework.ai.chat.model.ChatResponse call(Prompt prompt) {
            throw new UnsupportedOperationException("streams only");
        }

        @Override
        public Flux<org.springframework.ai.chat.model.ChatResponse> stream(Prompt prompt) {
            Flux<org.springframework.ai.chat.model.ChatResponse> flowing = Flux.range(0, chunks)
                    .map(i -> new org.springframework.ai.chat.model.ChatResponse(
                            List.of(new Generation(new AssistantMessage(WORD)))));
            return ends ? flowing : flowing.concatWith(Flux.never());
        }
    }
}
