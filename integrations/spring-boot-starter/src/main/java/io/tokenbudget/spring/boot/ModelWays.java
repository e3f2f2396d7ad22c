package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Where the methods of one model's proxy go, so that each question is charged once.
 *
 * <pre>
 *   of the framework's interfaces ................ to what meters them
 *   takes a question and returns its answer ...... the same
 *   default method of another interface .......... runs on the proxy, and what it asks there is metered
 *   else ......................................... to the model; what it asks of itself there is not seen
 * </pre>
 *
 * <p>The last are {@linkplain #unseen named}. A frame around them is no way out: what they do may be no call at all, and then
 * an estimate would be charged for nothing. Nor is the proxy: it has no state. Thread-safe.
 */
final class ModelWays {
    private static final Set<String> NO_QUESTIONS = Set.of(
            "equals", "hashCode", "toString", "clone", "mutate", "builder", "close", "destroy", "afterPropertiesSet");

    private static final List<String> NO_QUESTION_BEGINS = List.of("get", "is", "set", "has", "with", "to");

    private final Class<?> type;
    private final List<ModelKind> kinds;

    /** What meters, by interface. */
    private final Map<Class<?>, Object> metered = new LinkedHashMap<>();

    private final Map<Method, Optional<Way>> ways = new ConcurrentHashMap<>();

    ModelWays(List<ModelKind> kinds, Object model, CallMeter meter) {
        this.type = model.getClass();
        this.kinds = kinds;
        kinds.forEach(kind -> metered.putAll(kind.metered(model, meter)));
    }

    /** How a method is asked in another way than on the model. */
    interface Way {
        /** @param proxy null if it is not known */
        @Nullable
        Object ask(@Nullable Object proxy, @Nullable Object[] arguments) throws Throwable;
    }

    /** Null: the model itself is asked. */
    @Nullable
    Way of(Method called) {
        return ways.computeIfAbsent(called, this::find).orElse(null);
    }

    private Optional<Way> find(Method called) {
        for (Map.Entry<Class<?>, Object> each : metered.entrySet()) {
            try {
                Method method = each.getKey().getMethod(called.getName(), called.getParameterTypes());
                return Optional.of((proxy, arguments) -> invoke(method, each.getValue(), arguments));
            } catch (NoSuchMethodException ofAnother) {
                // perhaps the next one's
            }
        }
        Method method = AopUtils.getMostSpecificMethod(called, type);
        return method.isDefault() ? onProxy(method) : askedByItself(method);
    }

    private Optional<Way> askedByItself(Method own) {
        for (ModelKind kind : kinds) {
            Class<?> by = kind.askedBy(own, metered.keySet());
            if (by != null && own.trySetAccessible()) {
                Object asked = metered.get(by);
                return Optional.of(
                        (proxy, arguments) -> Proxy.getInvocationHandler(asked).invoke(asked, own, arguments));
            }
        }
        return Optional.empty();
    }

    /** An interface has no state: on the proxy its methods do the same. */
    private static Optional<Way> onProxy(Method inherited) {
        MethodHandle body;
        try {
            Class<?> declaring = inherited.getDeclaringClass();
            body = MethodHandles.privateLookupIn(declaring, MethodHandles.lookup())
                    .unreflectSpecial(inherited, declaring)
                    .asFixedArity();
        } catch (IllegalAccessException ofAClosedModule) {
            return Optional.empty();
        }
        return Optional.of((proxy, arguments) -> body.bindTo(proxy).invokeWithArguments(arguments));
    }

    private static @Nullable Object invoke(Method method, Object target, @Nullable Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    /** Methods of the model's own class that may ask it something which nobody sees. */
    List<String> unseen() {
        List<String> unseen = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (mayAsk(method) && find(method).isEmpty()) {
                    unseen.add(method.getName());
                }
            }
        }
        return unseen.stream().distinct().sorted().toList();
    }

    private boolean mayAsk(Method method) {
        String name = method.getName();
        boolean returnsAnAnswer = !method.getReturnType().isPrimitive();
        return isCalledFromOutside(method)
                && !method.isSynthetic()
                && (returnsAnAnswer || takesAFrameworks(method))
                && !NO_QUESTIONS.contains(name)
                && NO_QUESTION_BEGINS.stream()
                        .noneMatch(begin -> name.startsWith(begin)
                                && (name.length() == begin.length()
                                        || Character.isUpperCase(name.charAt(begin.length()))))
                && !isOfOthersInterface(method);
    }

    private static boolean isCalledFromOutside(Method method) {
        int modifiers = method.getModifiers();
        boolean isOfApplication = ModelProxy.FRAMEWORKS.stream()
                .noneMatch(method.getDeclaringClass().getName()::startsWith);
        return !Modifier.isStatic(modifiers)
                && (Modifier.isPublic(modifiers)
                        || (isOfApplication && !Modifier.isPrivate(modifiers) && !Modifier.isProtected(modifiers)));
    }

    private static boolean takesAFrameworks(Method method) {
        for (Class<?> each : method.getParameterTypes()) {
            if (ModelProxy.FRAMEWORKS.stream().anyMatch(each.getName()::startsWith)) {
                return true;
            }
        }
        return false;
    }

    /** What Spring, a framework or the JDK calls is no question of the application's. */
    private boolean isOfOthersInterface(Method method) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .filter(each -> each.getName().startsWith("java.")
                        || ModelProxy.FRAMEWORKS.stream().anyMatch(each.getName()::startsWith))
                .anyMatch(each -> ClassUtils.hasMethod(each, method.getName(), method.getParameterTypes()));
    }
}
