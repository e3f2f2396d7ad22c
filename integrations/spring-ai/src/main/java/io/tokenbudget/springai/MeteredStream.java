package io.tokenbudget.springai;

import io.tokenbudget.core.metering.Run;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * What a model streams, metered for each subscription by itself. Hands on the same objects in the same order; adds nothing
 * but the refusal that ends it.
 *
 * @param prompt as the application gave it
 * @param sent what the model was given
 * @param origin the run of whoever asked for the stream, or null
 */
record MeteredStream(
        SpringAiMeter meter,
        Object model,
        Prompt prompt,
        Prompt sent,
        @Nullable Run origin,
        Flux<ChatResponse> source) implements Publisher<ChatResponse> {

    @Override
    public void subscribe(Subscriber<? super ChatResponse> subscriber) {
        CoreSubscriber<? super ChatResponse> actual = Operators.toCoreSubscriber(subscriber);
        Context context = actual.currentContext();
        StreamedCall call = open(context);
        if (call == null) {
            source.subscribe(actual);
            return;
        }
        RuntimeException refusal = call.refusal();
        if (refusal != null) {
            Operators.error(actual, refusal);
            return;
        }
        try {
            source.subscribe(new Metered(actual, context.put(Conversations.CALL, call), call, meter));
        } catch (Throwable thrown) {
            call.failed(thrown);
            throw thrown;
        } finally {
            call.subscribed();
        }
    }

    private @Nullable StreamedCall open(Context context) {
        try {
            StreamedCall around =
                    context.getOrDefault(Conversations.CALL, null) instanceof StreamedCall call ? call : null;
            Object run = context.getOrDefault(Conversations.RUN, null);
            StreamedCall call = meter.openStream(
                    model,
                    prompt,
                    run instanceof Run ofClient ? ofClient : origin,
                    context.getOrDefault(Conversations.CONTEXT, null),
                    around);
            meter.sends(sent, call);
            return call;
        } catch (Throwable fault) {
            meter.fault("opening a stream of Spring AI", fault);
            return null;
        }
    }

    /** Between the model and the application: signals come one after the other, requests and cancellation from anywhere. */
    private static final class Metered implements CoreSubscriber<ChatResponse>, Subscription {
        private final CoreSubscriber<? super ChatResponse> actual;
        private final Context context;
        private final StreamedCall call;
        private final SpringAiMeter meter;

        @SuppressWarnings("NullAway.Init") // first of all signals
        private Subscription upstream;

        private boolean ended;

        Metered(CoreSubscriber<? super ChatResponse> actual, Context context, StreamedCall call, SpringAiMeter meter) {
            this.actual = actual;
            this.context = context;
            this.call = call;
            this.meter = meter;
        }

        @Override
        public Context currentContext() {
            return context;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            if (Operators.validate(upstream, subscription)) {
                upstream = subscription;
                actual.onSubscribe(this);
            }
        }

        @Override
        public void onNext(ChatResponse chunk) {
            if (ended) {
                return;
            }
            call.handOn();
            RuntimeException cut = call.emitted(chunk);
            if (cut == null) {
                meter.answers(chunk, call);
                actual.onNext(chunk);
                return;
            }
            ended = true;
            cancelUpstream();
            actual.onError(cut);
        }

        @Override
        public void onError(Throwable thrown) {
            if (!ended) {
                ended = true;
                call.handOn();
                call.failed(thrown);
                actual.onError(thrown);
            }
        }

        @Override
        public void onComplete() {
            if (!ended) {
                ended = true;
                call.handOn();
                call.completed();
                actual.onComplete();
            }
        }

        @Override
        public void request(long n) {
            upstream.request(n);
        }

        @Override
        public void cancel() {
            call.cancelled();
            upstream.cancel();
        }

        private void cancelUpstream() {
            try {
                upstream.cancel();
            } catch (Throwable thrown) {
                meter.fault("cancelling a stream of Spring AI", thrown);
            }
        }
    }
}
