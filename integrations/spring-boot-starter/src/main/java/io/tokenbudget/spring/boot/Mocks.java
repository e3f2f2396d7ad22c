package io.tokenbudget.spring.boot;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What tests put in a model's place. It has to see each call as the test makes it, and nothing besides, or it cannot be taught.
 * Immutable.
 */
final class Mocks {
    /** Of {@code org.mockito.Mockito}; null where that is not there. */
    private final @Nullable Method details;

    Mocks(ClassLoader loader) {
        Class<?> mockito = ClassUtils.isPresent("org.mockito.Mockito", loader)
                ? ClassUtils.resolveClassName("org.mockito.Mockito", loader)
                : null;
        this.details = mockito == null ? null : ReflectionUtils.findMethod(mockito, "mockingDetails", Object.class);
    }

    /** Whether {@code bean} is a mock of Mockito's, or a spy. */
    boolean contains(Object bean) {
        if (details == null) {
            return false;
        }
        Object told = ReflectionUtils.invokeMethod(details, null, bean);
        Method isMock = told == null ? null : ReflectionUtils.findMethod(told.getClass(), "isMock");
        return isMock != null && Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, told));
    }
}
