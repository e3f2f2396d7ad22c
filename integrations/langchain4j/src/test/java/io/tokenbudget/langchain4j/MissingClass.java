package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.InputStream;
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

    private static final class WithoutIt extends ClassLoader {
        private static final Set<String> OWN =
                Set.of(NamesOne.class.getName(), Handler.class.getName(), Model.class.getName());

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
