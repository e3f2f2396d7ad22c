package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.WeakIdentityMap;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One subscription to what a model streams that is no chat, being metered. What flows is not output tokens, so nothing is
 * counted.
 *
 * <p>Thread-safe: pieces come one after the other, but the application cancels on a thread of its own.
 */
final class OtherStream<T> implements StreamedAnswer<T> {
    /** Reactor context: the stream that what is subscribed to is part of. */
    static final String KEY = "io.tokenbudget.other-stream";

    /** Which stream an object was first seen in. */
    private static final WeakIdentityMap<WeakReference<Frame>> BEGAN = new WeakIdentityMap<>();

    private final OtherCalls calls;
    private final Frame frame;
    private volatile boolean subscribed;
    private volatile boolean flowed;
    private volatile @Nullable Object last;

    OtherStream(OtherCalls calls, Frame frame) {
        this.calls = calls;
        this.frame = frame;
    }

    /** The run that it is part of; null if that could not be found out. */
    @Nullable
    Run run() {
        return frame.run();
    }

    Frame frame() {
        return frame;
    }

    @Override
    public String key() {
        return KEY;
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
        if (!flowed) {
            flowed = true;
            begins(calls.parts(piece));
        }
        last = piece;
        Usage reported = calls.usage(piece);
        if (reported != null) {
            frame.reported(reported);
        }
        return frame.emitted(0);
    }

    /** A decorator that hands a stream on through a queue says first what the model has said first. */
    private void begins(List<Object> parts) {
        for (Object part : parts) {
            WeakReference<Frame> known = BEGAN.get(part);
            Frame inner = known == null ? null : known.get();
            if (inner == null) {
                BEGAN.put(part, new WeakReference<>(frame));
            } else {
                frame.handsOn(inner);
            }
        }
    }

    @Override
    public void completed() {
        frame.succeedWith(null, 0, calls.parts(last));
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
