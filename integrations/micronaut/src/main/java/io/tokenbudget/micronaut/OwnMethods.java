package io.tokenbudget.micronaut;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The methods of an application's own by which it can ask a model bean: they run on the model itself, so that what they ask of it
 * goes past us. Stateless.
 */
final class OwnMethods {
    /** Whose methods ask no model, or are metered. */
    private static final List<String> OF_OTHERS =
            List.of("java.", "javax.", "jakarta.", "io.micronaut.", "dev.langchain4j.");

    private OwnMethods() {}

    /**
     * With their interfaces.
     *
     * @param knownBy interfaces of a model bean
     * @param model its class; null as long as it is not made: then those alone that no interface has a body for
     */
    static Set<String> of(Set<Class<?>> knownBy, @Nullable Class<?> model) {
        Set<String> own = new TreeSet<>();
        for (Class<?> type : knownBy) {
            Set<Class<?>> metered = ModelTypes.meteredBy(model == null ? type : model);
            for (Method method : type.getMethods()) {
                if (isOwn(method, metered) && runsOnTheModel(method, model)) {
                    own.add(method.getDeclaringClass().getName() + '.' + method.getName());
                }
            }
        }
        return own;
    }

    private static boolean isOwn(Method method, Set<Class<?>> metered) {
        String of = method.getDeclaringClass().getName();
        return !Modifier.isStatic(method.getModifiers())
                && OF_OTHERS.stream().noneMatch(of::startsWith)
                && metered.stream().noneMatch(type -> MeteredProxy.find(type, method) != null);
    }

    /** What is left to its interface runs on what stands in the model's place, and is metered there. */
    private static boolean runsOnTheModel(Method method, @Nullable Class<?> model) {
        return model == null ? !method.isDefault() : !MeteredProxy.isLeftToItsInterface(method, model);
    }
}
