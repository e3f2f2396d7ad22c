package io.tokenbudget.spring.boot;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Stands in a model's place: what its framework asks it goes to what meters it, what an interface of the application has a body
 * for runs on the proxy and so ends in the former, everything else goes to the model itself. Thread-safe.
 *
 * @param ways where each method goes
 * @param copies for models that the model makes of itself
 */
record ModelProxy(ModelWays ways, Copies copies) implements MethodInterceptor {
    /** What becomes of a model that the model makes of itself. */
    interface Copies {
        /** What stands in the place of {@code copy}, which is of the model's own class. */
        Object metered(Object copy);

        /** Nobody will see the copy that {@code model} is asked a builder for. */
        void unseen(Object model);
    }

    static final List<String> FRAMEWORKS = List.of("org.springframework.", "dev.langchain4j.");

    /**
     * A proxy that is of the model's class and so fits wherever the model does.
     *
     * @throws RuntimeException if the class cannot be extended after all
     */
    static Object ofClass(Object model, ModelWays ways, Copies copies, ClassLoader loader) {
        Object proxy = proxy(model, ways, copies, loader, true);
        try {
            copyFields(model, proxy);
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException("fields of " + model.getClass().getName() + " cannot be copied", closed);
        }
        return proxy;
    }

    /** A proxy that has the model's interfaces alone. */
    static Object ofInterfaces(Object model, ModelWays ways, Copies copies, ClassLoader loader) {
        return proxy(model, ways, copies, loader, false);
    }

    private static Object proxy(Object model, ModelWays ways, Copies copies, ClassLoader loader, boolean ofClass) {
        ProxyFactory factory = new ProxyFactory(model);
        factory.setProxyTargetClass(ofClass);
        factory.addAdvice(new ModelProxy(ways, copies));
        return factory.getProxy(loader);
    }

    /**
     * Why no subclass can stand in for {@code type}, or null: what is final would run on the proxy, which has no state, and what
     * changes of a field would be seen by only one of the two.
     *
     * @param loader where the subclass would be defined, in the package of {@code type}
     */
    static @Nullable String objection(Class<?> type, ClassLoader loader) {
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
                if (isCalled(method) && !isSeenFrom(type.getPackageName(), loader, method)) {
                    return "its method " + method.getName() + " cannot be overridden outside of its package";
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

    private static boolean isSeenFrom(String packageName, ClassLoader loader, Method method) {
        Class<?> of = method.getDeclaringClass();
        return Modifier.isPublic(method.getModifiers())
                || Modifier.isProtected(method.getModifiers())
                || (of.getPackageName().equals(packageName) && of.getClassLoader() == loader);
    }

    /** Whether {@code proxy} is one of these. */
    static boolean isIn(Advised proxy) {
        return Stream.of(proxy.getAdvisors()).anyMatch(advisor -> advisor.getAdvice() instanceof ModelProxy);
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
        ModelWays.Way way = ways.of(invocation.getMethod());
        if (way == null) {
            return toModel(invocation);
        }
        Object proxy = invocation instanceof ProxyMethodInvocation known ? known.getProxy() : null;
        return way.ask(proxy, invocation.getArguments());
    }

    private @Nullable Object toModel(MethodInvocation invocation) throws Throwable {
        Object model = invocation.getThis();
        Object returned = invocation.proceed();
        if (model == null || returned == null || returned == model) {
            return returned;
        }
        if (returned.getClass() == model.getClass()) {
            return copies.metered(returned);
        }
        if (invocation.getMethod().getName().equals("mutate")) {
            copies.unseen(model);
        }
        return returned;
    }

    /** All alike: so proxies of equal models are equal, as Spring compares proxies by what they stand around and by their advice. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ModelProxy;
    }

    @Override
    public int hashCode() {
        return ModelProxy.class.hashCode();
    }
}
