package io.tokenbudget.langchain4j;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code TokenStream}, which asks its model when it is started. Known by its name: this integration is compiled without the
 * artifact that it is in.
 */
public final class TokenStreams implements LaterResult {
    private static final String TYPE = "dev.langchain4j.service.TokenStream";

    @Override
    public boolean isOf(Object returned) {
        return typeOf(returned.getClass()) != null;
    }

    private static @Nullable Class<?> typeOf(Class<?> of) {
        for (Class<?> type : interfaces(of)) {
            if (type.getName().equals(TYPE)) {
                return type;
            }
        }
        return null;
    }

    private static Set<Class<?>> interfaces(Class<?> of) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> type = of; type != null; type = type.getSuperclass()) {
            for (Class<?> implemented : type.getInterfaces()) {
                all.add(implemented);
                all.addAll(interfaces(implemented));
            }
        }
        return all;
    }

    @Override
    public boolean beginsLater(Class<?> returnType) {
        return returnType.getName().equals(TYPE) || typeOf(returnType) != null;
    }

    @Override
    public Object goesOn(Object returned, MethodCall call) {
        call.upFront().end();
        Class<?> type = typeOf(returned.getClass());
        if (type == null || !call.mayReturn(type)) {
            return returned;
        }
        return call.holdsUpFront()
                ? proxy(type, new HeldStream(returned, type, call))
                : inRun(returned, type, call::show);
    }

    /** {@code returned}, which {@code method} has returned, so that it works for {@code run} where it is a stream. */
    public static @Nullable Object inRun(@Nullable Object returned, Method method, CallMeter meter, Run run) {
        Class<?> type = returned == null ? null : typeOf(returned.getClass());
        return returned == null || type == null || !method.getReturnType().isAssignableFrom(type)
                ? returned
                : inRun(returned, type, () -> meter.show(run));
    }

    private static Object inRun(Object stream, Class<?> type, Supplier<RunScope> show) {
        return proxy(type, new Stream(stream, type, show));
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    /** Works for the run while it is started; for the rest it is what it stands for. */
    private record Stream(Object stream, Class<?> type, Supplier<RunScope> show) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (Proxies.isOfObject(method)) {
                return Proxies.ofObject(proxy, method, arguments, "Budgeted" + type.getSimpleName(), stream);
            }
            RunScope scope = show.get();
            Object result;
            try {
                result = Proxies.call(stream, method, arguments);
            } finally {
                scope.close();
            }
            return result == stream ? proxy : result;
        }
    }
}
