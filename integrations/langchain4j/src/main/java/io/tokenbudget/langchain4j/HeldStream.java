package io.tokenbudget.langchain4j;

import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.metering.UpFront;
import io.tokenbudget.core.method.MethodCall;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@code TokenStream} for which tokens are held up front, from when it is started until it tells that it has ended. One that
 * ignores errors does not tell of them: then the hold expires. Used by one thread until it is started.
 */
final class HeldStream implements InvocationHandler {
    private final Object stream;
    private final Class<?> type;
    private final MethodCall call;
    private boolean tellsOfItsEnd;
    private @Nullable Consumer<Object> onError;

    /** Written before the stream is started, on whose threads it is ended. */
    private volatile UpFront upFront = UpFront.NOTHING;

    HeldStream(Object stream, Class<?> type, MethodCall call) {
        this.stream = stream;
        this.type = type;
        this.call = call;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (Proxies.isOfObject(method)) {
            return Proxies.ofObject(proxy, method, arguments, "Budgeted" + type.getSimpleName(), stream);
        }
        Object result = switch (method.getName()) {
            case "start" -> start(method, arguments);
            case "onCompleteResponse" -> {
                tellsOfItsEnd = true;
                yield inRun(method, call.run(), ended(arguments));
            }
            case "onError" -> {
                Object[] wrapped = ended(arguments);
                onError = asConsumer(wrapped);
                yield inRun(method, call.run(), wrapped);
            }
            default -> inRun(method, call.run(), arguments);
        };
        return result == stream ? proxy : result;
    }

    private @Nullable Object start(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        // One that is started again while it flows holds once.
        UpFront held = upFront.isHeld() ? upFront : call.holdUpFront(call.run());
        RuntimeException refusal = held.refusal();
        if (refusal != null) {
            if (onError == null) {
                throw refusal;
            }
            onError.accept(refusal);
            return null;
        }
        upFront = held;
        try {
            if (!tellsOfItsEnd) {
                tellsOfItsEnd = true;
                Consumer<Object> end = response -> upFront.end();
                Proxies.call(stream, type.getMethod("onCompleteResponse", Consumer.class), new Object[] {end});
            }
            return inRun(method, held.run() == null ? call.run() : held.run(), arguments);
        } catch (Throwable thrown) {
            held.end();
            throw thrown;
        }
    }

    private @Nullable Object inRun(Method method, @Nullable Run run, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        RunScope scope = call.meter().show(run);
        try {
            return Proxies.call(stream, method, arguments);
        } finally {
            scope.close();
        }
    }

    /** The same arguments, where a consumer of the last signal ends the hold first. */
    private @Nullable Object @Nullable [] ended(@Nullable Object @Nullable [] arguments) {
        Consumer<Object> told = asConsumer(arguments);
        if (told == null) {
            return arguments;
        }
        Consumer<Object> ended = signal -> {
            upFront.end();
            told.accept(signal);
        };
        return new Object[] {ended};
    }

    @SuppressWarnings("unchecked") // it is told what the stream tells
    private static @Nullable Consumer<Object> asConsumer(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments.length == 1 && arguments[0] instanceof Consumer<?> consumer
                ? (Consumer<Object>) consumer
                : null;
    }
}
