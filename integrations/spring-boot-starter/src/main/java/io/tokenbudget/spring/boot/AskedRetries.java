package io.tokenbudget.spring.boot;

import io.tokenbudget.LimitExceededException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Whether the application has asked by name that refusals are tried again. */
final class AskedRetries {
    private AskedRetries() {}

    /**
     * @param annotation the name of its class
     * @param attribute of that annotation: the exceptions that are tried again
     */
    static boolean areAsked(Method method, Class<?> target, String annotation, String attribute) {
        MergedAnnotation<?> found = on(method, annotation);
        if (!found.isPresent()) {
            found = on(target, annotation);
        }
        return found.isPresent() && List.of(found.getClassArray(attribute)).contains(LimitExceededException.class);
    }

    private static MergedAnnotation<?> on(AnnotatedElement element, String annotation) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(annotation);
    }
}
