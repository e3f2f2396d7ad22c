package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import org.jspecify.annotations.Nullable;

/**
 * One subscription to what a model streams that is no chat, being metered. What flows is not output tokens, so nothing is
 * counted.
 *
 * <p>Thread-safe: pieces come one after the other, but the application cancels on a thread of its own.
 */
final class OtherStream<T> implements StreamedAnswer<T> {
    private final OtherCalls calls;
    private final Frame frame;
    private volatile boolean subscribed;
    private volatile boolean flowed;

    OtherStream(OtherCalls calls, Frame frame) {
        this.calls = calls;
        this.frame = frame;
    }

    @Override
    public @Nullable RuntimeException refusal() {
        return frame.refusal();
    }

    @Override
    public void subscribed() {
        frame.detach();
        subscribed = true;
    }

    @Override
    public void handOn() {
        if (!subscribed) {
            frame.detach();
        }
    }

    @Override
    public @Nullable RuntimeException emitted(T piece) {
        flowed = true;
        Usage reported = calls.usage(piece);
        if (reported != null) {
            frame.reported(reported);
        }
        return frame.emitted(0);
    }

    @Override
    public void completed() {
        frame.succeed(null, 0, null);
    }

    @Override
    public void failed(Throwable thrown) {
        frame.fail(flowed ? Failure.CUT_STREAM : calls.failure(thrown), 0, thrown);
    }

    @Override
    public void cancelled() {
        frame.cancel();
    }
}
