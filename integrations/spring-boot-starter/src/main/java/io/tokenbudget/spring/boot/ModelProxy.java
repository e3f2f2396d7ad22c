package io.tokenbudget.spring.boot;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
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

    private static final List<String> FRAMEWORKS = List.of("org.springframework.", "dev.langchain4j.");

    /** Where a method of the proxy goes. */
    record Route(Method method, Object metered) {}

    /**
     * A proxy that is of the model's class and so fits wherever the model does.
     *
     * @throws RuntimeException if the class cannot be extended after all
     */
    static Object ofClass(Object model, Map<Class<?>, Object> metered, @Nullable ClassLoader loader) {
        Object proxy = proxy(model, metered, loader, true);
        try {
            copyFields(model, proxy);
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException("fields of " + model.getClass().getName() + " cannot be copied", closed);
        }
        return proxy;
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

    /**
     * Why no subclass can stand in for {@code type}, or null: what is final would run on the proxy, which has no state, and what
     * changes of a field would be seen by only one of the two.
     */
    static @Nullable String objection(Class<?> type) {
        if (Modifier.isFinal(type.getModifiers()) || type.isHidden()) {
            return "its class is final";
        }
        if (Modifier.isPrivate(type.getModifiers())) {
            return "its class is private";
        }
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (isCalled(method) && Modifier.isFinal(method.getModifiers())) {
                    return "its method " + method.getName() + " is final";
                }
            }
            for (Field field : each.getDeclaredFields()) {
                if (isRead(field) && !Modifier.isFinal(field.getModifiers())) {
                    return "its field " + field.getName() + " is neither private nor final";
                }
            }
        }
        return null;
    }

    private static boolean isCalled(Method method) {
        return !Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
    }

    /** Whether the application may read it past every method; it does not of a framework's. */
    private static boolean isRead(Field field) {
        String of = field.getDeclaringClass().getName();
        return !Modifier.isStatic(field.getModifiers())
                && !Modifier.isPrivate(field.getModifiers())
                && FRAMEWORKS.stream().noneMatch(of::startsWith);
    }

    /** What can be read of the model past every method can be read of what stands in its place. */
    private static void copyFields(Object model, Object proxy) throws IllegalAccessException {
        for (Class<?> each = model.getClass(); each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (isRead(field) && field.trySetAccessible()) {
                    field.set(proxy, field.get(model));
                }
            }
        }
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
