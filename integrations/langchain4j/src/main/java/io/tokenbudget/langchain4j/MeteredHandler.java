package io.tokenbudget.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a model and the application's handler. A proxy of all interfaces of that handler, so that signals which
 * later versions of LangChain4j add reach it too: as themselves, not through the interface's default methods.
 *
 * <p>Each signal goes into the ledger before the application hears it: the next round of a tool loop runs inside
 * {@code onCompleteResponse}. Thread-safe.
 */
final class MeteredHandler implements InvocationHandler {
    private final StreamingChatResponseHandler application;
    private final MeteredStream stream;
    private final StreamedOutput output;
    private final CancellableContexts contexts;

    private MeteredHandler(StreamingChatResponseHandler application, MeteredStream stream) {
        this.application = application;
        this.stream = stream;
        this.output = new StreamedOutput(stream.counter());
        this.contexts = new CancellableContexts(stream);
    }

    static StreamingChatResponseHandler around(StreamingChatResponseHandler application, MeteredStream stream) {
        MeteredHandler handler = new MeteredHandler(application, stream);
        Class<?> type = application.getClass();
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        interfaces.add(StreamingChatResponseHandler.class);
        addInterfaces(type, interfaces);
        if (interfaces.size() > 1) {
            try {
                return proxy(type.getClassLoader(), interfaces, handler);
            } catch (IllegalArgumentException | LinkageError cannotBeProxied) {
                // Another loader's interface, or one that names a class which is not there.
                interfaces.retainAll(Set.of(StreamingChatResponseHandler.class));
            }
        }
        return proxy(StreamingChatResponseHandler.class.getClassLoader(), interfaces, handler);
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> interfaces) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            interfaces.addAll(List.of(declaring.getInterfaces()));
        }
    }

    private static StreamingChatResponseHandler proxy(
            @Nullable ClassLoader loader, Set<Class<?>> interfaces, MeteredHandler handler) {
        return (StreamingChatResponseHandler)
                Proxy.newProxyInstance(loader, interfaces.toArray(new Class<?>[0]), handler);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        if (!isSignal(method)) {
            return call(method, args);
        }
        if (stream.isCut()) {
            return null;
        }
        stream.heardWhileOthersSpeak();
        @Nullable Object @Nullable [] ours = contexts.in(args);
        if (ours != null && ours.length == 1 && ours[0] instanceof Throwable error) {
            ours = new @Nullable Object[] {stream.itself(error)};
        }
        @Nullable Object @Nullable [] said = ours;
        RuntimeException refusal = hear(method.getName(), args);
        if (refusal != null) {
            cut(refusal);
            return null;
        }
        return stream.inApplication(() -> call(method, said));
    }

    /** Also those of interfaces that extend the framework's. */
    private static boolean isSignal(Method method) {
        Class<?> type = method.getDeclaringClass();
        return method.getReturnType() == void.class
                && type != Object.class
                && (type.isAssignableFrom(StreamingChatResponseHandler.class)
                        || StreamingChatResponseHandler.class.isAssignableFrom(type));
    }

    /** Takes a signal down, and gives back what cuts the stream, or null. */
    private @Nullable RuntimeException hear(String signal, @Nullable Object @Nullable [] args) {
        try {
            Object said = args == null || args.length == 0 ? null : args[0];
            switch (signal) {
                case "onCompleteResponse" -> stream.completed((ChatResponse) said);
                case "onError" -> stream.failed(said == null ? new NullPointerException() : (Throwable) said);
                default -> {
                    return stream.flowed(output.add(signal, said));
                }
            }
        } catch (Throwable fault) {
            stream.fault(fault);
        }
        return null;
    }

    private void cut(RuntimeException refusal) throws Throwable {
        boolean closed = contexts.cancel();
        Throwable applications = null;
        try {
            stream.inApplication(() -> {
                stream.tellCut(refusal);
                return null;
            });
        } catch (Throwable thrown) {
            applications = thrown;
        }
        if (!closed && stream.mayCloseByThrowing()) {
            throw new StreamCut(applications);
        }
        if (applications != null) {
            throw applications;
        }
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] args) throws Throwable {
        if (method.getName().equals("equals") && method.getDeclaringClass() == Object.class) {
            return isSame(Objects.requireNonNull(args)[0]);
        }
        try {
            return invoke(method, args);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** The application may have interfaces of its own beside, which only its package can call. */
    private @Nullable Object invoke(Method method, @Nullable Object @Nullable [] args)
            throws IllegalAccessException, InvocationTargetException {
        try {
            return method.invoke(application, args);
        } catch (IllegalAccessException notPublic) {
            if (!method.trySetAccessible()) {
                throw notPublic;
            }
            return method.invoke(application, args);
        }
    }

    private boolean isSame(@Nullable Object other) {
        if (other != null
                && Proxy.isProxyClass(other.getClass())
                && Proxy.getInvocationHandler(other) instanceof MeteredHandler same) {
            return application.equals(same.application);
        }
        return application.equals(other);
    }
}
