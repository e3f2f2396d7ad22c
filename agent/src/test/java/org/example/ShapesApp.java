package org.example;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;

/** Calls once each model of every shape that a LangChain4j model can have: {@code <address to print>}. */
public final class ShapesApp {
    private ShapesApp() {}

    public static void main(String[] args) throws Exception {
        List<ChatModel> models = List.of(
                new EchoChatModel(),
                new Inheriting(),
                new OnlyChat(),
                new Narrow(),
                new ByDefault(),
                new Both(),
                new Decorator(new EchoChatModel()));
        for (ChatModel model : models) {
            System.out.println(model.getClass().getSimpleName() + " " + model.chat("question"));
        }
        System.out.println(Web.get(args[0]));
    }

    private static ChatResponse.Builder answer() {
        return ChatResponse.builder().aiMessage(AiMessage.from("echo")).tokenUsage(new TokenUsage(10, 20));
    }

    static final class Inheriting extends EchoChatModel {}

    static final class OnlyChat implements ChatModel {
        @Override
        public ChatResponse chat(ChatRequest request) {
            return answer().build();
        }
    }

    static final class NarrowResponse extends ChatResponse {
        NarrowResponse() {
            super(answer());
        }
    }

    /** The compiler adds a bridge with the method's usual descriptor. */
    static final class Narrow implements ChatModel {
        @Override
        public NarrowResponse doChat(ChatRequest request) {
            return new NarrowResponse();
        }
    }

    interface AnswersByDefault extends ChatModel {
        @Override
        default ChatResponse doChat(ChatRequest request) {
            return answer().build();
        }
    }

    static final class ByDefault implements AnswersByDefault {}

    static final class Both extends EchoChatModel {
        @Override
        public ChatResponse chat(ChatRequest request) {
            return super.doChat(request);
        }
    }

    static final class Decorator implements ChatModel {
        private final ChatModel behind;

        Decorator(ChatModel behind) {
            this.behind = behind;
        }

        @Override
        public ChatResponse doChat(ChatRequest request) {
            return behind.chat(request);
        }
    }
}
