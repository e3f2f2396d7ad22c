package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Requires;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import io.tokenbudget.langchain4j.TokenStreams;
import jakarta.inject.Singleton;

/** What methods return as LangChain4j's {@code TokenStream}. Thread-safe: it keeps nothing. */
@Singleton
@Requires(classes = dev.langchain4j.model.chat.ChatModel.class)
final class TokenStreamResults implements LaterResult {
    private final TokenStreams streams = new TokenStreams();

    @Override
    public boolean isOf(Object returned) {
        return streams.isOf(returned);
    }

    @Override
    public boolean beginsLater(Class<?> returnType) {
        return streams.beginsLater(returnType);
    }

    @Override
    public Object goesOn(Object returned, MethodCall call) {
        return streams.goesOn(returned, call);
    }
}
