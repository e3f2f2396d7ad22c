package io.tokenbudget.langchain4j;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/** What an application looks like where an optional dependency of it is missing. */
final class MissingClass {
    private MissingClass() {}

    /** Not there for {@link NamesOne}. */
    static final class Optional {}

    /** Beside the framework's. */
    public interface NamesOne {
        /** Never called. */
        default void on(Optional missing) {}
    }

    /** A model with a field of it. */
    public static final class Model {
        final Optional missing = new Optional();
        final String modelName = "gpt";
    }

    /** A {@link Model} that cannot be looked into. */
    static Class<?> modelThatNamesOne() throws ClassNotFoundException {
        return new WithoutIt().loadClass(Model.class.getName());
    }

    /** The application's handler. */
    public static final class Handler implements StreamingChatResponseHandler, NamesOne {
        private final StreamingChatResponseHandler to;

        /** @param to hears what this hears */
        public Handler(StreamingChatResponseHandler to) {
            this.to = to;
        }

        @Override
        public void onPartialResponse(String piece) {
            to.onPartialResponse(piece);
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            to.onCompleteResponse(response);
        }

        @Override
        public void onError(Throwable error) {
            to.onError(error);
        }
    }

    static StreamingChatResponseHandler handlerThatNamesOne(StreamingChatResponseHandler to) throws Exception {
        return (StreamingChatResponseHandler) new WithoutIt()
                .loadClass(Handler.class.getName())
                .getConstructor(StreamingChatResponseHandler.class)
                .newInstance(to);
    }

    /** A model with a method of it. */
    public static final class Embeds implements EmbeddingModel {
        /** Never called. */
        public void on(Optional missing) {}

        @Override
        public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
            return Response.from(List.of(Embedding.from(new float[] {1})), new TokenUsage(7, 0));
        }
    }

    /** The same for chats. */
    public static final class Chats implements ChatModel {
        /** Never called. */
        public void on(Optional missing) {}

        @Override
        public ChatResponse doChat(ChatRequest request) {
            return ChatResponse.builder()
                    .aiMessage(AiMessage.from("hi"))
                    .tokenUsage(new TokenUsage(7, 5))
                    .build();
        }
    }

    static Object embedsAndNamesOne() throws Exception {
        return new WithoutIt()
                .loadClass(Embeds.class.getName())
                .getConstructor()
                .newInstance();
    }

    static Object chatsAndNamesOne() throws Exception {
        return new WithoutIt().loadClass(Chats.class.getName()).getConstructor().newInstance();
    }

    private static final class WithoutIt extends ClassLoader {
        private static final Set<String> OWN = Set.of(
                NamesOne.class.getName(),
                Handler.class.getName(),
                Model.class.getName(),
                Embeds.class.getName(),
                Chats.class.getName());

        WithoutIt() {
            super(MissingClass.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Optional.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            return OWN.contains(name) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
