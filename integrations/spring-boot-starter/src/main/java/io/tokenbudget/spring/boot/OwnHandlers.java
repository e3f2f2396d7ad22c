package io.tokenbudget.spring.boot;

import io.tokenbudget.LimitExceededException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;

/**
 * Whether the application answers refusals itself: it has an {@code @ExceptionHandler} that names {@link
 * LimitExceededException}, in the controller or in a {@code @ControllerAdvice}.
 */
final class OwnHandlers extends ClassValue<Boolean> {
    private static final OwnHandlers IN_CLASS = new OwnHandlers();

    private OwnHandlers() {}

    static boolean in(Class<?> type) {
        return IN_CLASS.get(type);
    }

    /** In the controller that {@code handler} is a method of. */
    static boolean has(@Nullable Object handler) {
        return handler instanceof HandlerMethod method && in(method.getBeanType());
    }

    /** In the advices of an application. */
    static boolean inAdvices(ApplicationContext context) {
        return ControllerAdviceBean.findAnnotatedBeans(context).stream()
                .map(ControllerAdviceBean::getBeanType)
                .anyMatch(type -> type != null && in(type));
    }

    @Override
    protected Boolean computeValue(Class<?> type) {
        return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)).anyMatch(OwnHandlers::isOne);
    }

    private static boolean isOne(Method method) {
        ExceptionHandler handler = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
        if (handler == null) {
            return false;
        }
        Class<?>[] named = handler.value().length > 0 ? handler.value() : method.getParameterTypes();
        return Arrays.asList(named).contains(LimitExceededException.class);
    }
}
