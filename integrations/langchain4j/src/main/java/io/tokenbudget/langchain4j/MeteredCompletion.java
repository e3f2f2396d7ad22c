package io.tokenbudget.langchain4j;

import dev.langchain4j.model.StreamingResponseHandler;
import dev.langchain4j.model.output.Response;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.OutputCounter;
import io.tokenbudget.core.metering.Run;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One streamed completion of a language model: stands between the model and the application's handler, counts what flows and
 * tells the application when a budget ends it. A proxy, so that signals which later versions of LangChain4j add reach the
 * application too.
 *
 * <p>The first end counts. Thread-safe.
 */
public final class MeteredCompletion implements InvocationHandler {
    private final OtherCalls calls;
    private final Frame frame;
    private final StreamingResponseHandler<?> application;
    private final OutputCounter counter;
    private final Thread opener = Thread.currentThread();
    private volatile boolean hasBegun;
    private volatile boolean hasFlowed;
    private volatile boolean isCut;

    /** What the application's handler last threw. */
    private volatile @Nullable Throwable applications;

    MeteredCompletion(OtherCalls calls, Frame frame, StreamingResponseHandler<?> application) {
        this.calls = calls;
        this.frame = frame;
        this.counter = frame.output();
        this.application = application;
    }

    /** Not null: the model must not be called, and {@link #tellRefusal} is all there is to do. */
    public @Nullable RuntimeException refusal() {
        return frame.refusal();
    }

    /**
     * Tells the application that the call is refused.
     *
     * @return what its own handler threw, for its caller; or null
     */
    public @Nullable Throwable tellRefusal() {
        RuntimeException refusal = frame.refusal();
        try {
            if (refusal != null) {
                application.onError(refusal);
            }
            return null;
        } catch (Throwable itsOwn) {
            return itsOwn;
        }
    }

    /** The handler to give to the model in place of the application's; that itself if no other can be made. */
    public StreamingResponseHandler<?> handler() {
        try {
            return (StreamingResponseHandler<?>) Proxy.newProxyInstance(
                    StreamingResponseHandler.class.getClassLoader(),
                    new Class<?>[] {StreamingResponseHandler.class},
                    this);
        } catch (Throwable fault) {
            calls.unmetered(frame, fault);
            return application;
        }
    }

    /**
     * The method that begins the stream has ended. Called on the thread that opened this.
     *
     * @param thrown what it threw, or null
     */
    public void begun(@Nullable Throwable thrown) {
        if (thrown != null) {
            endWith(thrown);
        }
        hasBegun = true;
        frame.detach();
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (Proxies.isOfObject(method)) {
            return Proxies.ofObject(proxy, method, arguments, "Metered", application);
        }
        if (isCut) {
            return null;
        }
        RuntimeException cut = hear(method.getName(), arguments == null ? null : arguments[0]);
        if (cut == null) {
            @Nullable Object @Nullable [] said = arguments;
            if (arguments != null && arguments.length == 1 && arguments[0] instanceof Throwable error) {
                said = new @Nullable Object[] {Proxies.itself(error, applications)};
            }
            @Nullable Object @Nullable [] asThrown = said;
            return inApplication(() -> method.invoke(application, asThrown));
        }
        isCut = true;
        Throwable itsOwn = null;
        try {
            inApplication(() -> {
                application.onError(cut);
                return null;
            });
        } catch (Throwable thrown) {
            itsOwn = thrown;
        }
        if (!isBeginning() && StreamCut.closesTheStreamFromHere()) {
            throw new StreamCut(itsOwn);
        }
        if (itsOwn != null) {
            throw itsOwn;
        }
        return null;
    }

    /** Takes a signal down, and gives back what cuts the stream, or null. */
    private @Nullable RuntimeException hear(String signal, @Nullable Object said) {
        try {
            switch (signal) {
                case "onNext" -> {
                    long tokens;
                    synchronized (counter) {
                        tokens = said instanceof CharSequence text ? counter.add(text) : 0;
                    }
                    if (tokens > 0) {
                        hasFlowed = true;
                    }
                    return frame.emitted(tokens);
                }
                case "onComplete" -> calls.close(frame, said instanceof Response<?> response ? response : null, null);
                case "onError" -> failed(said instanceof Throwable thrown ? thrown : new NullPointerException());
                default -> {}
            }
        } catch (Throwable fault) {
            calls.fault("metering a streamed completion of LangChain4j", fault);
        }
        return null;
    }

    /** An error was signalled, which need not be the end: what the application's handler throws comes back to it so. */
    private void failed(Throwable error) {
        Throwable thrown = applications;
        if (!(thrown instanceof Exception) || !Failures.isCausedBy(error, thrown)) {
            endWith(error);
        }
    }

    /** Whether this is called by the method that begins the stream. */
    private boolean isBeginning() {
        return !hasBegun && Thread.currentThread() == opener;
    }

    private void endWith(Throwable error) {
        Throwable thrown = applications;
        if (thrown != null && Failures.isCausedBy(error, thrown)) {
            frame.cancel();
            return;
        }
        Failure failure = isBeginning() ? calls.failure(error) : calls.streamFailure(error);
        // What has begun to flow was not rejected.
        frame.fail(hasFlowed && failure == Failure.REJECTED ? Failure.CUT_STREAM : failure, 0, error);
    }

    /**
     * Calls the application's handler: for the run that this call belongs to. Where the model calls it while the method that
     * begins the stream is running, what the handler asks other models is no part of this call.
     */
    private @Nullable Object inApplication(Callable<@Nullable Object> callback) throws Throwable {
        boolean within = isBeginning();
        if (within) {
            frame.enterTools();
        }
        Run before = calls.enterRun(frame);
        try {
            return callback.call();
        } catch (InvocationTargetException thrown) {
            applications = thrown.getTargetException();
            throw thrown.getTargetException();
        } finally {
            calls.leaveRun(before);
            if (within) {
                frame.exitTools();
            }
        }
    }
}
