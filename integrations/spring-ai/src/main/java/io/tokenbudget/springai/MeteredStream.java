package io.tokenbudget.springai;

import io.tokenbudget.core.metering.CallMeter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * What a model streams, metered for each subscription by itself. Hands on the same objects in the same order; adds nothing
 * but the refusal that ends it.
 *
 * @param <T> what flows
 * @param meter where faults are reported
 * @param opening opens what meters a subscription, with the subscriber's context; null lets it pass
 */
record MeteredStream<T>(CallMeter meter, Function<Context, @Nullable StreamedAnswer<T>> opening, Flux<T> source)
        implements Publisher<T> {

    @Override
    public void subscribe(Subscriber<? super T> subscriber) {
        CoreSubscriber<? super T> actual = Operators.toCoreSubscriber(subscriber);
        Context context = actual.currentContext();
        StreamedAnswer<T> answer = open(context);
        if (answer == null) {
            source.subscribe(actual);
            return;
        }
        RuntimeException refusal = answer.refusal();
        if (refusal != null) {
            Operators.error(actual, refusal);
            return;
        }
        try {
            source.subscribe(new Metered<>(actual, context.put(answer.key(), answer), answer, meter));
        } catch (Throwable thrown) {
            answer.failed(thrown);
            throw thrown;
        } finally {
            answer.subscribed();
        }
    }

    private @Nullable StreamedAnswer<T> open(Context context) {
        try {
            return opening.apply(context);
        } catch (Throwable fault) {
            meter.fault("opening a stream of Spring AI", fault);
            return null;
        }
    }

    /** Between the model and the application: signals come one after the other, requests and cancellation from anywhere. */
    private static final class Metered<T> implements CoreSubscriber<T>, Subscription {
        private final CoreSubscriber<? super T> actual;
        private final Context context;
        private final StreamedAnswer<T> answer;
        private final CallMeter meter;

        @SuppressWarnings("NullAway.Init") // first of all signals
        private Subscription upstream;

        private boolean ended;

        Metered(CoreSubscriber<? super T> actual, Context context, StreamedAnswer<T> answer, CallMeter meter) {
            this.actual = actual;
            this.context = context;
            this.answer = answer;
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
                answer.handOn();
                actual.onSubscribe(this);
            }
        }

        @Override
        public void onNext(T chunk) {
            if (ended) {
                return;
            }
            answer.handOn();
            RuntimeException cut = answer.emitted(chunk);
            if (cut == null) {
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
                answer.handOn();
                answer.failed(thrown);
                actual.onError(thrown);
            }
        }

        @Override
        public void onComplete() {
            if (!ended) {
                ended = true;
                answer.handOn();
                answer.completed();
                actual.onComplete();
            }
        }

        @Override
        public void request(long n) {
            upstream.request(n);
        }

        @Override
        public void cancel() {
            answer.cancelled();
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
