package io.tokenbudget.langchain4j;

import io.tokenbudget.core.metering.RunScope;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
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
    public Object goesOn(Object returned, MethodCall call) {
        Class<?> type = typeOf(returned.getClass());
        return type == null || !call.mayReturn(type)
                ? returned
                : Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, new Stream(returned, type, call));
    }

    /** Works for the run while it is started; for the rest it is what it stands for. */
    private record Stream(Object stream, Class<?> type, MethodCall call) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (Proxies.isOfObject(method)) {
                return Proxies.ofObject(proxy, method, arguments, "Budgeted" + type.getSimpleName(), stream);
            }
            RunScope scope = call.show();
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
