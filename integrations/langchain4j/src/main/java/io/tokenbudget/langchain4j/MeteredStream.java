package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.OutputCounter;
import io.tokenbudget.core.metering.Run;
import org.jspecify.annotations.Nullable;

/**
 * One streamed call: what its signals mean for the ledger, and what the application is told when a budget ends it.
 *
 * <pre>
 *   refused:  tellRefusal
 *   begun:    handler() to the model ── begun ── pieces … ── completed / failed / cancelled / cut
 * </pre>
 *
 * <p>The first end counts. Thread-safe: signals, and a cancel by the application, may come on any threads.
 */
public final class MeteredStream {
    /** The stream that a thread lets speak to the application. */
    private static final ThreadLocal<Speaker> SPEAKS = new ThreadLocal<>();

    /** @param depth see {@link CallMeter#helpingDepth} */
    private record Speaker(MeteredStream stream, int depth) {}

    private final LangChain4jMeter meter;
    private final Frame frame;
    private final StreamingChatResponseHandler application;
    private final boolean callerWaits;
    private final Thread opener = Thread.currentThread();
    private volatile boolean hasBegun;
    private volatile boolean hasFlowed;
    private volatile boolean isCut;
    private volatile boolean beingCancelled;

    /** What the application's handler last threw. */
    private volatile @Nullable Throwable applications;

    /** @param callerWaits whether the caller waits for an answer and is deaf to errors */
    MeteredStream(LangChain4jMeter meter, Frame frame, StreamingChatResponseHandler application, boolean callerWaits) {
        this.callerWaits = callerWaits;
        this.meter = meter;
        this.frame = frame;
        this.application = application;
    }

    /** Whether the model must not be called: then {@link #tellRefusal} is all there is to do. */
    public boolean isRefused() {
        return frame.refusal() != null;
    }

    /** The refusal, or null. */
    public @Nullable RuntimeException refusal() {
        return frame.refusal();
    }

    OutputCounter counter() {
        return frame.output();
    }

    /** The handler to give to the model in place of the application's; that itself if no other can be made. */
    public StreamingChatResponseHandler handler() {
        try {
            return MeteredHandler.around(application, this);
        } catch (Throwable fault) {
            meter.unmetered(frame, fault);
            return application;
        }
    }

    /**
     * Tells the application that the call is refused.
     *
     * @return what its caller must be thrown, or null
     */
    public @Nullable Throwable tellRefusal() {
        RuntimeException refusal = frame.refusal();
        if (refusal == null || callerWaits) {
            return refusal;
        }
        try {
            application.onError(refusal);
            return null;
        } catch (Throwable itsOwn) {
            return itsOwn;
        }
    }

    /**
     * The method that begins the stream has ended. Called on the thread that opened this.
     *
     * @param thrown what it threw, or null
     */
    public void begun(@Nullable Throwable thrown) {
        if (thrown != null) {
            endWith(thrown, meter.failure(thrown));
        }
        hasBegun = true;
        frame.detach();
    }

    /** Whether the stream was cut by a budget: then the application must hear no more of it. */
    boolean isCut() {
        return isCut;
    }

    /** Output came, or another sign of life. Returns what cuts the stream, or null. */
    @Nullable
    RuntimeException flowed(long tokens) {
        if (tokens > 0) {
            hasFlowed = true;
        }
        RuntimeException cut = frame.emitted(tokens);
        if (cut != null) {
            isCut = true;
        }
        return cut;
    }

    /** Where another stream speaks on this thread that was opened for this one, this one only hands on what it says. */
    void heardWhileOthersSpeak() {
        Speaker other = SPEAKS.get();
        if (other != null && other.depth == CallMeter.helpingDepth()) {
            frame.handsOn(other.stream.frame);
        }
    }

    /**
     * Whether a stream that has no handle closes when this is thrown at who calls: not where that is the method which begins
     * the stream, and the application behind it.
     */
    boolean mayCloseByThrowing() {
        return !isBeginning() && StreamCut.closesTheStreamFromHere();
    }

    void completed(@Nullable ChatResponse response) {
        if (response instanceof RefusedResponse refused) {
            meter.close(frame, null, refused.refusal());
        } else {
            meter.close(frame, response, null);
        }
    }

    /** An error was signalled, which need not be the end: what the application's handler throws comes back to it so. */
    void failed(Throwable error) {
        Throwable thrown = applications;
        if (!(thrown instanceof Exception) || !Failures.isCausedBy(error, thrown)) {
            endWith(error, isBeginning() ? meter.failure(error) : meter.streamFailure(error));
        }
    }

    /** Whether this is called by the method that begins the stream. */
    private boolean isBeginning() {
        return !hasBegun && Thread.currentThread() == opener;
    }

    private void endWith(Throwable error, Failure failure) {
        Throwable thrown = applications;
        if (beingCancelled || (thrown != null && Failures.isCausedBy(error, thrown))) {
            frame.cancel();
            return;
        }
        // What has begun to flow was not rejected.
        frame.fail(hasFlowed && failure == Failure.REJECTED ? Failure.CUT_STREAM : failure, 0, error);
    }

    /** The application is about to cancel the stream. */
    void cancelling() {
        beingCancelled = true;
    }

    /** The stream could not be cancelled, and goes on. */
    void notCancelled() {
        beingCancelled = false;
    }

    /** The application has cancelled the stream. */
    void cancelled() {
        frame.cancel();
    }

    /** The one signal that ends a stream which was cut. */
    void tellCut(RuntimeException refusal) {
        if (callerWaits) {
            application.onCompleteResponse(new RefusedResponse(refusal));
        } else {
            application.onError(refusal);
        }
    }

    /**
     * Calls the application's handler: for the run that this call belongs to, on whatever thread. Where the model calls it
     * while the method that begins the stream is running, what the handler asks other models is no part of this call.
     */
    @Nullable
    Object inApplication(Callback callback) throws Throwable {
        boolean within = isBeginning();
        if (within) {
            frame.enterTools();
        }
        Speaker spoke = SPEAKS.get();
        SPEAKS.set(new Speaker(this, CallMeter.helpingDepth()));
        Run before = meter.enterRun(frame);
        try {
            return callback.call();
        } catch (Throwable thrown) {
            applications = thrown;
            throw thrown;
        } finally {
            meter.leaveRun(before);
            if (spoke == null) {
                SPEAKS.remove();
            } else {
                SPEAKS.set(spoke);
            }
            if (within) {
                frame.exitTools();
            }
        }
    }

    /** {@code error} as the application's handler threw it, if that is where it comes from. */
    Throwable itself(Throwable error) {
        return Proxies.itself(error, applications);
    }

    /** One call of the application's handler. */
    interface Callback {
        @Nullable
        Object call() throws Throwable;
    }

    void fault(Throwable fault) {
        meter.fault("metering a stream of LangChain4j", fault);
    }
}
