package io.tokenbudget.micronaut.processor;

import io.micronaut.core.annotation.AnnotationClassValue;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Set;

/**
 * Binds the interceptor also where {@code @TokenBudget} stands above: on what a method overrides or implements, on a type that a
 * class extends or implements. What an annotation is mapped to is not inherited with it.
 */
public final class TokenBudgetVisitor implements TypeElementVisitor<Object, Object> {
    static final String TOKEN_BUDGET = "io.tokenbudget.TokenBudget";
    private static final String BINDING = "io.micronaut.aop.InterceptorBinding";
    private static final String FACTORY = "io.micronaut.context.annotation.Factory";
    private static final String EXECUTABLE = "io.micronaut.context.annotation.Executable";

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    /** All: what implements an annotated interface need not have an annotation of its own. */
    @Override
    public Set<String> getSupportedAnnotationNames() {
        return Set.of("*");
    }

    @Override
    public void visitClass(ClassElement type, VisitorContext context) {
        if (type.isInterface()) {
            return;
        }
        if (type.hasAnnotation(TOKEN_BUDGET)) {
            bind(type);
        }
        for (MethodElement method : type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyDeclared())) {
            refuseWhatIsNotSeen(method, context);
        }
        for (MethodElement method : type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyInstance())) {
            if (method.getMethodAnnotationMetadata().hasAnnotation(TOKEN_BUDGET)) {
                bind(method);
                method.stringValue(TOKEN_BUDGET, "fallback").ifPresent(name -> makeCallable(type, name));
            } else if (type.hasStereotype(FACTORY) && makesAnnotated(method)) {
                bind(method);
            }
        }
    }

    private static void refuseWhatIsNotSeen(MethodElement method, VisitorContext context) {
        String why = method.isPrivate() ? "private" : method.isStatic() ? "static" : method.isFinal() ? "final" : "";
        if (!why.isEmpty() && method.getMethodAnnotationMetadata().hasDeclaredAnnotation(TOKEN_BUDGET)) {
            context.fail(
                    "@TokenBudget on " + method.getDeclaringType().getName() + '.' + method.getName()
                            + ": the method is " + why
                            + ", so Micronaut cannot intercept it; make it an instance method that is neither private nor final",
                    method);
        }
    }

    /** Such as a LangChain4j AI service: the object is another framework's, so the interceptor is put around its bean. */
    private static boolean makesAnnotated(MethodElement factory) {
        ClassElement made = factory.getReturnType();
        return made.isInterface()
                && (made.hasAnnotation(TOKEN_BUDGET)
                        || made.getEnclosedElements(ElementQuery.ALL_METHODS).stream()
                                .anyMatch(method ->
                                        method.getMethodAnnotationMetadata().hasAnnotation(TOKEN_BUDGET)));
    }

    private static void bind(Element element) {
        if (!element.hasDeclaredAnnotation(BINDING)) {
            mapped().forEach(element::annotate);
        }
    }

    /** What the annotation is for Micronaut: an interceptor around, and a method to look at when the context starts. */
    static List<AnnotationValue<Annotation>> mapped() {
        return List.of(
                AnnotationValue.builder(BINDING)
                        .member("value", new AnnotationClassValue<>(TOKEN_BUDGET))
                        .member("kind", "AROUND")
                        .build(),
                AnnotationValue.builder(EXECUTABLE)
                        .member("processOnStartup", true)
                        .build());
    }

    private static void makeCallable(ClassElement type, String fallback) {
        for (MethodElement method :
                type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyInstance().named(fallback))) {
            if (!method.isPrivate() && !method.hasAnnotation(EXECUTABLE)) {
                method.annotate(EXECUTABLE);
            }
        }
    }
}
