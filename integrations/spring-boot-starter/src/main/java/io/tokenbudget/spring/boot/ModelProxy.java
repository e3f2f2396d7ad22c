package io.tokenbudget.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Stands in a model's place: what its framework asks it goes to what meters it, everything else to the model itself.
 * Thread-safe.
 *
 * @param metered by interface
 */
record ModelProxy(Map<Class<?>, Object> metered, Map<Method, Optional<Route>> routes) implements MethodInterceptor {

    /** Where a method of the proxy goes. */
    record Route(Method method, Object metered) {}

    /**
     * A proxy that is of the model's class and so fits wherever the model does.
     *
     * @throws RuntimeException if the class cannot be extended after all
     */
    static Object ofClass(Object model, Map<Class<?>, Object> metered, @Nullable ClassLoader loader) {
        return proxy(model, metered, loader, true);
    }

    /** A proxy that has the model's interfaces alone. */
    static Object ofInterfaces(Object model, Map<Class<?>, Object> metered, @Nullable ClassLoader loader) {
        return proxy(model, metered, loader, false);
    }

    private static Object proxy(
            Object model, Map<Class<?>, Object> metered, @Nullable ClassLoader loader, boolean ofClass) {
        ProxyFactory factory = new ProxyFactory(model);
        factory.setProxyTargetClass(ofClass);
        factory.addAdvice(new ModelProxy(metered, new ConcurrentHashMap<>()));
        return factory.getProxy(loader);
    }

    /** Whether a subclass can pass every call on: what is final would run on the proxy, which has no state. */
    static boolean canExtend(Class<?> type) {
        if (Modifier.isFinal(type.getModifiers()) || type.isHidden() || Modifier.isPrivate(type.getModifiers())) {
            return false;
        }
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                int modifiers = method.getModifiers();
                boolean isCalled = !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers);
                if (isCalled && Modifier.isFinal(modifiers)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Route route =
                routes.computeIfAbsent(invocation.getMethod(), this::route).orElse(null);
        if (route == null) {
            return invocation.proceed();
        }
        try {
            return route.method.invoke(route.metered, invocation.getArguments());
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private Optional<Route> route(Method called) {
        for (Map.Entry<Class<?>, Object> each : metered.entrySet()) {
            try {
                Method method = each.getKey().getMethod(called.getName(), called.getParameterTypes());
                return Optional.of(new Route(method, each.getValue()));
            } catch (NoSuchMethodException ofAnother) {
                // perhaps the next one's
            }
        }
        return Optional.empty();
    }
}
