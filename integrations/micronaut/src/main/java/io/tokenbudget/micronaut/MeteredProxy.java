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
 * Stands in the place of a model that is known by several interfaces: what LangChain4j asks it goes to what meters it,
 * everything else to the model. As thread-safe as the model.
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
        Class<?> first = knownBy.iterator().next();
        Object one = metered.get(first);
        if (knownBy.size() == 1 && one != null) {
            return one;
        }
        Set<Class<?>> all = new LinkedHashSet<>(knownBy);
        all.addAll(metered.keySet());
        return Proxy.newProxyInstance(
                loader(model, all), all.toArray(Class<?>[]::new), new MeteredProxy(model, metered));
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
                case "equals" -> arguments != null && arguments[0] == proxy;
                case "hashCode" -> System.identityHashCode(proxy);
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
        Method own = find(model.getClass(), called);
        boolean isLeftToItsInterface = called.isDefault() && (own == null || own.equals(called));
        return new Route(called, isLeftToItsInterface ? null : model);
    }

    private static @Nullable Method find(Class<?> type, Method called) {
        try {
            return type.getMethod(called.getName(), called.getParameterTypes());
        } catch (NoSuchMethodException none) {
            return null;
        }
    }
}
