package io.tokenbudget.langchain4j;

import io.tokenbudget.core.config.IdentitySource;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who is calling, as the arguments of an AI service's method say it. Knows LangChain4j's types by name alone: they are in an
 * artifact that an application of the models has not. Stateless.
 */
public final class ServiceCalls {
    private static final String MEMORY_ID = "dev.langchain4j.service.MemoryId";
    private static final String PARAMETERS = "dev.langchain4j.invocation.InvocationParameters";
    private static final Reflected AS_MAP = Reflected.method("asMap");

    private ServiceCalls() {}

    /**
     * Reads the call of {@code method}.
     *
     * @param arguments null for none
     * @return answers sources of the kinds {@code MEMORY_ID} and {@code INVOCATION}
     */
    public static Function<IdentitySource, @Nullable String> of(
            Method method, @Nullable Object @Nullable [] arguments) {
        return source -> {
            Object value = arguments == null
                    ? null
                    : switch (source.kind()) {
                        case MEMORY_ID -> memoryId(method, arguments);
                        case INVOCATION -> parameter(arguments, source.name());
                        default -> null;
                    };
            return value == null ? null : value.toString();
        };
    }

    private static @Nullable Object memoryId(Method method, @Nullable Object[] arguments) {
        Annotation[][] annotations = method.getParameterAnnotations();
        for (int i = 0; i < annotations.length && i < arguments.length; i++) {
            for (Annotation annotation : annotations[i]) {
                if (annotation.annotationType().getName().equals(MEMORY_ID)) {
                    return arguments[i];
                }
            }
        }
        return null;
    }

    private static @Nullable Object parameter(@Nullable Object[] arguments, String name) {
        for (Object argument : arguments) {
            if (argument != null
                    && argument.getClass().getName().equals(PARAMETERS)
                    && AS_MAP.get(argument) instanceof Map<?, ?> parameters) {
                return parameters.get(name);
            }
        }
        return null;
    }
}
