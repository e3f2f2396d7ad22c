package io.tokenbudget.micronaut;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a model's place: what LangChain4j asks it goes to what meters it, everything else to the model. Two are equal where
 * their models are. As thread-safe as the model.
 */
final class MeteredProxy implements InvocationHandler {
    private static final @Nullable Object[] NONE = {};

    private final Object model;
    private final Map<Class<?>, Object> metered;
    private final Map<Method, Route> routes = new ConcurrentHashMap<>();

    /** @param target null: the method's own body, on the proxy */
    private record Route(Method method, @Nullable Object target) {
        Route {
            // The interface may be of an application's package, which we are not in; what cannot be called says so when
            // it is.
            method.trySetAccessible();
        }
    }

    private MeteredProxy(Object model, Map<Class<?>, Object> metered) {
        this.model = model;
        this.metered = metered;
    }

    /**
     * @param knownBy interfaces that it must have
     * @param metered by interface
     */
    static Object of(Object model, Set<Class<?>> knownBy, Map<Class<?>, Object> metered) {
        Set<Class<?>> all = new LinkedHashSet<>(knownBy);
        all.addAll(metered.keySet());
        return Proxy.newProxyInstance(
                loader(model, all), all.toArray(Class<?>[]::new), new MeteredProxy(model, metered));
    }

    /** Whether {@code bean} stands in a model's place. */
    static boolean isOne(Object bean) {
        return Proxy.isProxyClass(bean.getClass()) && Proxy.getInvocationHandler(bean) instanceof MeteredProxy;
    }

    /** The model that {@code bean} stands in the place of; else {@code bean} itself. */
    static Object behind(Object bean) {
        return isOne(bean) ? ((MeteredProxy) Proxy.getInvocationHandler(bean)).model : bean;
    }

    /** The model's own sees all its interfaces; one that is not public can be implemented only where it is. */
    private static @Nullable ClassLoader loader(Object model, Set<Class<?>> all) {
        return all.stream()
                .filter(type -> !Modifier.isPublic(type.getModifiers()))
                .findFirst()
                .<Class<?>>map(type -> type)
                .orElse(model.getClass())
                .getClassLoader();
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && arguments[0] != null && isEqual(proxy, arguments[0]);
                case "hashCode" -> model.hashCode();
                default -> "Metered[" + model + "]";
            };
        }
        Route route = routes.computeIfAbsent(method, this::route);
        if (route.target == null) {
            return ownBody(method).bindTo(proxy).invokeWithArguments(arguments == null ? NONE : arguments);
        }
        try {
            return route.method.invoke(route.target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    /** Either way round: a model that wants another of its own class is not equal to what only stands in for one. */
    private boolean isEqual(Object proxy, Object other) {
        return proxy == other
                || (isOne(other) ? model.equals(behind(other)) : model.equals(other) && other.equals(proxy));
    }

    private static MethodHandle ownBody(Method method) throws IllegalAccessException {
        Class<?> type = method.getDeclaringClass();
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup()).unreflectSpecial(method, type);
    }

    private Route route(Method called) {
        for (Map.Entry<Class<?>, Object> each : metered.entrySet()) {
            Method same = find(each.getKey(), called);
            if (same != null) {
                return new Route(same, each.getValue());
            }
        }
        return new Route(called, isLeftToItsInterface(called, model.getClass()) ? null : model);
    }

    /** Whether {@code model} has no body of its own for it. */
    static boolean isLeftToItsInterface(Method called, Class<?> model) {
        Method own = find(model, called);
        return called.isDefault() && (own == null || own.equals(called));
    }

    static @Nullable Method find(Class<?> type, Method called) {
        try {
            return type.getMethod(called.getName(), called.getParameterTypes());
        } catch (NoSuchMethodException none) {
            return null;
        }
    }
}
