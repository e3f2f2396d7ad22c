package io.tokenbudget.springai;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * Takes a decorator's stream along to the models that it asks, on whatever threads, which are known by what they observe alone:
 * the one thing of the Reactor context that such a model shows to who listens is its parent observation.
 *
 * <p>Stands in the parent's place there and hands everything on to it. Thread-safe.
 *
 * @param parent null if the decorator's stream has none
 */
record CarriedCall(StreamedCall call, @Nullable Observation parent) implements InvocationHandler {

    /** {@code context} with the stream that is in it also where a model that observes finds it. */
    static Context in(Context context) {
        if (!(context.getOrDefault(Conversations.CALL, null) instanceof StreamedCall call)) {
            return context;
        }
        Object parent = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
        CarriedCall carried = new CarriedCall(call, parent instanceof Observation observation ? observation : null);
        return context.put(
                ObservationThreadLocalAccessor.KEY,
                Proxy.newProxyInstance(
                        Observation.class.getClassLoader(), new Class<?>[] {Observation.class}, carried));
    }

    /** The call that {@code context} is observed inside of, or null; its parent is the real one afterwards. */
    static @Nullable StreamedCall takenFrom(Observation.Context context) {
        StreamedCall innermost = null;
        ObservationView parent = context.getParentObservation();
        while (parent != null
                && Proxy.isProxyClass(parent.getClass())
                && Proxy.getInvocationHandler(parent) instanceof CarriedCall carried) {
            innermost = innermost == null ? carried.call : innermost;
            parent = carried.parent;
            context.setParentObservation(parent);
        }
        return innermost;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(parent == null ? Observation.NOOP : parent, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
