package io.tokenbudget.micronaut.processor;

import io.micronaut.aop.InterceptorBinding;
import io.micronaut.context.annotation.Executable;
import io.micronaut.core.annotation.AnnotationClassValue;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;

/** What the annotation is for Micronaut: an interceptor around, and a method to look at when the context starts. Stateless. */
final class Binding {
    static final String TOKEN_BUDGET = "io.tokenbudget.TokenBudget";

    private Binding() {}

    static boolean isAnnotated(MethodElement method) {
        return method.getMethodAnnotationMetadata().hasAnnotation(TOKEN_BUDGET);
    }

    static void add(Element element) {
        if (element.getAnnotationValuesByType(InterceptorBinding.class).stream()
                .anyMatch(binding ->
                        binding.stringValue().filter(TOKEN_BUDGET::equals).isPresent())) {
            return;
        }
        element.annotate(AnnotationValue.builder(InterceptorBinding.class)
                .member("value", new AnnotationClassValue<>(TOKEN_BUDGET))
                .member("kind", "AROUND")
                .build());
        element.annotate(AnnotationValue.builder(Executable.class)
                .member("processOnStartup", true)
                .build());
    }

    /** So that a fallback is called without reflection. */
    static void makeCallable(ClassElement type, String fallback) {
        for (MethodElement method :
                type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyInstance().named(fallback))) {
            if (!method.isPrivate() && !method.hasAnnotation(Executable.class)) {
                method.annotate(Executable.class);
            }
        }
    }

    /** Why a bean's method cannot be intercepted; empty if it can. */
    static String obstacle(MethodElement method) {
        return method.isPrivate() ? "private" : method.isStatic() ? "static" : method.isFinal() ? "final" : "";
    }

    /** Whether it is annotated itself, and cannot be intercepted. */
    static boolean isRefused(MethodElement method) {
        return !obstacle(method).isEmpty()
                && method.getMethodAnnotationMetadata().hasDeclaredAnnotation(TOKEN_BUDGET);
    }

    static String name(MethodElement method) {
        return method.getDeclaringType().getName() + '.' + method.getName();
    }
}
