package io.tokenbudget.langchain4j;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contexts that come with the pieces of a stream since LangChain4j 1.8, and the {@code StreamingHandle} in them by which
 * the stream is cancelled: after that, no signal need come.
 *
 * <p>The application gets contexts with a handle of ours. Nothing here links to the types, which 1.0 does not have.
 * Thread-safe.
 */
final class CancellableContexts {
    private static final Reflected HANDLE = Reflected.method("streamingHandle");

    /** For each type of context the constructor that takes a handle, if the handle is all there is in it. */
    private static final ClassValue<Optional<Constructor<?>>> CONSTRUCTORS = new ClassValue<>() {
        @Override
        protected Optional<Constructor<?>> computeValue(Class<?> context) {
            return constructor(context);
        }
    };

    private final MeteredStream stream;
    private volatile @Nullable Handle last;

    /**
     * @param cancel the method of both
     * @param providers the one that closes the stream
     * @param applications the one that the application gets
     */
    private record Handle(Method cancel, Object providers, Object applications) {}

    CancellableContexts(MeteredStream stream) {
        this.stream = stream;
    }

    /** The arguments of a signal, with the context in them replaced if there is one. */
    @Nullable
    Object @Nullable [] in(@Nullable Object @Nullable [] args) {
        Object context = args == null || args.length != 2 ? null : args[1];
        if (args == null || context == null) {
            return args;
        }
        try {
            Object handle = HANDLE.get(context);
            Constructor<?> constructor = CONSTRUCTORS.get(context.getClass()).orElse(null);
            return handle == null || constructor == null
                    ? args
                    : new @Nullable Object[] {args[0], constructor.newInstance(around(handle, constructor).applications)
                    };
        } catch (Throwable fault) {
            stream.fault(fault);
            return args;
        }
    }

    private Handle around(Object handle, Constructor<?> ofContext) throws NoSuchMethodException {
        Handle known = last;
        if (known == null || known.providers != handle) {
            Class<?> type = ofContext.getParameterTypes()[0];
            Method cancel = type.getMethod("cancel");
            InvocationHandler calls = (proxy, method, args) -> {
                if (Proxies.isOfObject(method)) {
                    return Proxies.ofObject(proxy, method, args, "Metered", handle);
                }
                return method.equals(cancel) ? cancelled(handle, cancel) : Proxies.call(handle, method, args);
            };
            Object ours = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls);
            known = new Handle(cancel, handle, ours);
            last = known;
        }
        return known;
    }

    private @Nullable Object cancelled(Object handle, Method cancel) throws Throwable {
        stream.cancelling();
        try {
            Proxies.call(handle, cancel, null);
        } catch (Throwable unsupported) {
            stream.notCancelled();
            throw unsupported;
        }
        stream.cancelled();
        return null;
    }

    /** Closes the provider's stream. False if no handle has come, or if it cannot. */
    boolean cancel() {
        Handle handle = last;
        if (handle == null) {
            return false;
        }
        try {
            Proxies.call(handle.providers, handle.cancel, null);
            return true;
        } catch (Throwable unsupported) {
            return false;
        }
    }

    private static Optional<Constructor<?>> constructor(Class<?> context) {
        int fields = 0;
        for (Field field : context.getDeclaredFields()) {
            fields += Modifier.isStatic(field.getModifiers()) ? 0 : 1;
        }
        for (Constructor<?> constructor : context.getConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            if (fields == 1
                    && parameters.length == 1
                    && parameters[0].getName().equals("dev.langchain4j.model.chat.response.StreamingHandle")) {
                return Optional.of(constructor);
            }
        }
        return Optional.empty();
    }
}
