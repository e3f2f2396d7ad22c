package io.tokenbudget.testkit.matrix;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What an application's decorator does with a call. Thread-safe. */
public final class Layer {
    /**
     * The kinds of decorator. Each needs a class of its own, because a class that has been seen to hand calls on is
     * remembered as one that does. On the same thread they give the application a copy of the answer, if they can.
     */
    public enum Kind {
        /** Hands the call on. */
        DECORATOR,
        /** Hands the call on, on another thread. */
        OTHER_THREAD,
        /** The same, for calls that fail. */
        OTHER_THREAD_THAT_FAILS,
        /** Hands the first call on and gives later ones with the same request its answer. */
        CACHE
    }

    private final Kind kind;
    private final Map<String, Object> answers = new ConcurrentHashMap<>();

    Layer(Kind kind) {
        this.kind = kind;
    }

    /** Which class the decorator must be of. */
    public Kind kind() {
        return kind;
    }

    /** Begins a stream, on the thread that this kind of decorator calls on; returns when it has begun. */
    public void begin(Runnable call) {
        if (kind == Kind.OTHER_THREAD || kind == Kind.OTHER_THREAD_THAT_FAILS) {
            CompletableFuture.runAsync(call).join();
        } else {
            call.run();
        }
    }

    /**
     * Makes {@code call}, or does not.
     *
     * @param <T> the framework's answer
     */
    @SuppressWarnings("unchecked") // one decorator, one type of answer
    public <T> T around(Object request, Supplier<T> call) {
        return switch (kind) {
            case DECORATOR -> call.get();
            case OTHER_THREAD, OTHER_THREAD_THAT_FAILS ->
                CompletableFuture.supplyAsync(call).join();
            case CACHE -> (T) answers.computeIfAbsent(request.toString(), key -> call.get());
        };
    }
}
