package io.tokenbudget.micronaut.processor;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * Objects that a factory makes, such as LangChain4j's AI services: the interceptor is put around the bean. Micronaut does that with
 * any interface, and with a class that it can make once more to stand before the object.
 */
final class FactoryMade {
    private final VisitorContext context;

    FactoryMade(VisitorContext context) {
        this.context = context;
    }

    void bind(MemberElement making, ClassElement made) {
        if (!Beans.isMade(making) || made.isPrimitive() || made.isArray()) {
            return;
        }
        List<MethodElement> annotated = made.getEnclosedElements(ElementQuery.ALL_METHODS).stream()
                .filter(Binding::isAnnotated)
                .toList();
        if (annotated.isEmpty() && !made.hasAnnotation(Binding.TOKEN_BUDGET)) {
            return;
        }
        String why = made.isInterface()
                ? obstacle(annotated.stream().filter(Binding::isRefused))
                : obstacle(made, annotated);
        if (why.isEmpty()) {
            annotated.forEach(method -> Nearest.declare(method, made));
            if (made.hasAnnotation(Binding.TOKEN_BUDGET)) {
                Nearest.declare(made);
            }
            Binding.add(making);
        } else {
            context.fail(
                    "@TokenBudget on " + (annotated.isEmpty() ? made.getName() : Binding.name(annotated.get(0)))
                            + ", made by " + making.getDeclaringType().getName() + '.' + making.getName() + ": " + why
                            + ", so Micronaut cannot intercept what a factory makes; declare an interface that has the annotation"
                            + " as its type, or make the class a bean itself",
                    making);
        }
    }

    private static String obstacle(ClassElement made, List<MethodElement> annotated) {
        if (made.isFinal()) {
            return "the class is final";
        }
        MethodElement constructor = made.getPrimaryConstructor().orElse(null);
        if (constructor == null ? made.getAccessibleConstructors().isEmpty() : constructor.hasParameters()) {
            return "the class has no constructor without parameters that can be called";
        }
        return obstacle(annotated.stream()
                .filter(method ->
                        !method.isPublic() || !Binding.obstacle(method).isEmpty()));
    }

    private static String obstacle(Stream<MethodElement> refused) {
        return refused.findFirst()
                .map(method -> "the method " + method.getName() + " is "
                        + (Binding.obstacle(method).isEmpty() ? "not public" : Binding.obstacle(method)))
                .orElse("");
    }
}
