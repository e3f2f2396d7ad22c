package io.tokenbudget.springai;

import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import io.micrometer.observation.Observation.Scope;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Failure;
import io.tokenbudget.core.metering.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.observation.ChatModelObservationContext;

/**
 * Meters what one model observes, and observes the same once more, with the same context, for the application.
 *
 * <pre>
 *   start ........ hold, or refuse ── the application's start (if that throws, the hold is given back)
 *   scope ........                    the application's scope
 *   scope closed .                    the application's scope closed ── book, if the answer is there
 *   error ........ book ───────────── the application's error
 *   stop ......... book ───────────── the application's stop
 * </pre>
 *
 * The first that knows how the call ended books it: whatever the application's listeners throw comes too late to hide it.
 *
 * <p>Thread-safe: the scopes of one observation are each thread's own, the rest is told one after the other.
 */
final class MeteringHandler implements ObservationHandler<ChatModelObservationContext> {
    private static final int FRAMES_UP_TO_OBSERVE = 8;

    private final ObservationRegistry applications;
    private final Object model;
    private final CallMeter calls;
    private final SpringAiMeter meter;

    MeteringHandler(ObservationRegistry applications, Object model, CallMeter meter) {
        this.applications = applications;
        this.model = model;
        this.calls = meter;
        this.meter = new SpringAiMeter(meter);
    }

    /** One call: what meters it, and what the application is told of it. */
    private record Call(
            @Nullable Frame frame, boolean isBlocking, Observation told, Map<Thread, Deque<Scope>> scopes) {}

    /** The model's own convention has named the context, and says what belongs to it. */
    private record AsObserved(Observation.Context of) implements ObservationConvention<ChatModelObservationContext> {
        @Override
        public @Nullable String getName() {
            return of.getName();
        }

        @Override
        public @Nullable String getContextualName(ChatModelObservationContext context) {
            return context.getContextualName();
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context == of;
        }
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ChatModelObservationContext;
    }

    @Override
    public void onStart(ChatModelObservationContext context) {
        StreamedCall around = CarriedCall.takenFrom(context);
        Frame frame =
                isMeteredByWrapper(around == null ? calls.current() : around.frame()) ? null : open(context, around);
        try {
            Observation told = Observation.createNotStarted(new AsObserved(context), () -> context, applications);
            context.put(Call.class, new Call(frame, isBlocking(), told, new ConcurrentHashMap<>()));
            told.start();
        } catch (Throwable thrown) {
            if (frame != null) {
                frame.fail(Failure.REJECTED, 0, thrown);
            }
            throw thrown;
        }
    }

    /** Nothing else says so: blocking calls are made inside of {@code Observation.observe}, streams start and stop theirs. */
    private static boolean isBlocking() {
        return StackWalker.getInstance()
                .walk(frames -> frames.limit(FRAMES_UP_TO_OBSERVE)
                        .anyMatch(frame -> frame.getMethodName().equals("observe")
                                && frame.getClassName().equals(Observation.class.getName())));
    }

    private boolean isMeteredByWrapper(@Nullable Frame current) {
        return current != null && !current.hasEnded() && !current.inTools() && current.isFor(model);
    }

    /** The options of the prompt are complete by now. The frame leaves the thread: nobody may ever say that the call ended. */
    private Frame open(ChatModelObservationContext context, @Nullable StreamedCall around) {
        Frame frame = meter.open(model, context.getRequest(), around);
        RuntimeException refusal = frame.refusal();
        frame.detach();
        if (refusal != null) {
            throw refusal;
        }
        return frame;
    }

    @Override
    public void onScopeOpened(ChatModelObservationContext context) {
        Call call = context.get(Call.class);
        // A scope that is made current again is so with all that was opened inside.
        if (call != null && !call.told.isNoop() && isOpenedNow(context)) {
            call.scopes
                    .computeIfAbsent(Thread.currentThread(), thread -> new ArrayDeque<>())
                    .push(call.told.openScope());
        }
    }

    private boolean isOpenedNow(ChatModelObservationContext context) {
        Observation current = applications.getCurrentObservation();
        return current != null && current.getContext() == context;
    }

    @Override
    public void onScopeClosed(ChatModelObservationContext context) {
        Call call = context.get(Call.class);
        if (call == null) {
            return;
        }
        if (context.getResponse() != null) {
            book(call, context);
        }
        Deque<Scope> ofThread = call.scopes.get(Thread.currentThread());
        Scope scope = ofThread == null ? null : ofThread.poll();
        if (ofThread != null && ofThread.isEmpty()) {
            call.scopes.remove(Thread.currentThread());
        }
        if (scope != null) {
            scope.close();
        }
    }

    @Override
    public void onEvent(Event event, ChatModelObservationContext context) {
        Call call = context.get(Call.class);
        if (call != null) {
            call.told.event(event);
        }
    }

    @Override
    public void onError(ChatModelObservationContext context) {
        Call call = context.get(Call.class);
        Throwable thrown = context.getError();
        if (call != null && thrown != null) {
            book(call, context);
            call.told.error(thrown);
        }
    }

    @Override
    public void onStop(ChatModelObservationContext context) {
        Call call = context.get(Call.class);
        if (call != null) {
            book(call, context);
            call.told.stop();
        }
    }

    private void book(Call call, ChatModelObservationContext context) {
        Frame frame = call.frame;
        ChatResponse response = context.getResponse();
        Throwable thrown = context.getError();
        if (frame == null || frame.hasEnded()) {
            return;
        }
        if (response == null && thrown == null && !call.isBlocking) {
            // A stream that was left before its end.
            frame.endUnseen();
        } else {
            meter.close(frame, response, response == null ? thrown : null);
        }
    }
}
