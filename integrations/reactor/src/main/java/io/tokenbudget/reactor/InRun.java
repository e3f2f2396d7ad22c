package io.tokenbudget.reactor;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.metering.Standing;
import io.tokenbudget.core.metering.UpFront;
import io.tokenbudget.core.method.MethodCall;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * What a method has returned: whatever is asked of it is done for the method's run, and what it answers with is handed to the
 * subscriber as the one who has subscribed. Thread-safe: it keeps nothing of a subscription.
 */
final class InRun<T> implements Publisher<T> {
    private final Publisher<T> publisher;
    private final MethodCall call;

    InRun(Publisher<T> publisher, MethodCall call) {
        this.publisher = publisher;
        this.call = call;
    }

    @Override
    public void subscribe(Subscriber<? super T> subscriber) {
        CoreSubscriber<? super T> caller = Operators.toCoreSubscriber(subscriber);
        Context outer = caller.currentContext();
        @Nullable Object carried = outer.getOrDefault(BudgetContext.KEY, null);
        Run mine = call.runIn(carried);
        UpFront upFront = call.holdUpFront(mine);
        RuntimeException refusal = upFront.refusal();
        if (refusal != null) {
            Operators.error(caller, refusal);
            return;
        }
        Run run = upFront.run() == null ? mine : upFront.run();
        @Nullable Object inside = run == null ? null : call.meter().carried(run);
        Context inner = inside == null ? outer : outer.put(BudgetContext.KEY, inside);
        Subscribed<T> subscribed = new Subscribed<>(caller, call, run, upFront, inner);
        RunScope scope = call.meter().show(run);
        try {
            publisher.subscribe(subscribed);
        } catch (Throwable thrown) {
            upFront.end();
            throw thrown;
        } finally {
            scope.close();
        }
    }

    /** One subscription. What it keeps is set before anything is signalled. */
    private static final class Subscribed<T> implements CoreSubscriber<T>, Subscription {
        private final CoreSubscriber<? super T> caller;
        private final MethodCall call;
        private final @Nullable Run run;
        private final UpFront upFront;
        private final Context context;
        private final Standing standing;
        private @Nullable Subscription subscription;

        Subscribed(
                CoreSubscriber<? super T> caller,
                MethodCall call,
                @Nullable Run run,
                UpFront upFront,
                Context context) {
            this.caller = caller;
            this.call = call;
            this.run = run;
            this.upFront = upFront;
            this.context = context;
            this.standing = call.meter().standing();
        }

        @Override
        public Context currentContext() {
            return context;
        }

        @Override
        public void onSubscribe(Subscription upstream) {
            if (Operators.validate(subscription, upstream)) {
                subscription = upstream;
                asCaller(() -> caller.onSubscribe(this));
            }
        }

        @Override
        public void onNext(T item) {
            asCaller(() -> caller.onNext(item));
        }

        @Override
        public void onError(Throwable thrown) {
            upFront.end();
            asCaller(() -> caller.onError(thrown));
        }

        @Override
        public void onComplete() {
            upFront.end();
            asCaller(caller::onComplete);
        }

        @Override
        public void request(long items) {
            inRun(upstream -> upstream.request(items));
        }

        @Override
        public void cancel() {
            inRun(Subscription::cancel);
            upFront.end();
        }

        private void asCaller(Runnable signal) {
            RunScope scope = standing.show();
            try {
                signal.run();
            } finally {
                scope.close();
            }
        }

        private void inRun(Consumer<Subscription> asking) {
            Subscription upstream = Objects.requireNonNull(subscription);
            RunScope scope = call.meter().show(run);
            try {
                asking.accept(upstream);
            } finally {
                scope.close();
            }
        }
    }
}
