package io.tokenbudget.micronaut.processor;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Set;

/**
 * Binds the interceptor to what has {@code io.tokenbudget.TokenBudget}, which knows nothing of Micronaut, or inherits it, and is a
 * bean: a binding on a class that is none would make it one. Found by Micronaut through {@code META-INF/services}.
 */
public final class TokenBudgetVisitor implements TypeElementVisitor<Object, Object> {

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    /** All: what implements an annotated interface need not have an annotation of its own. */
    @Override
    public Set<String> getSupportedAnnotationNames() {
        return Set.of("*");
    }

    /** After those whose annotations make beans. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void visitClass(ClassElement type, VisitorContext context) {
        if (Beans.isBean(type)) {
            refuseWhatIsNotSeen(type, type, context);
            Nearest.above(type).values().stream()
                    .filter(above -> !Beans.isBean(above))
                    .forEach(above -> refuseWhatIsNotSeen(above, type, context));
            bind(type);
        }
        if (Beans.isFactory(type)) {
            bindWhatItMakes(type, new FactoryMade(context));
        }
    }

    /** In what is no bean, and what no bean has from it, others may see it, such as AspectJ. */
    private static void refuseWhatIsNotSeen(ClassElement type, ClassElement bean, VisitorContext context) {
        for (MethodElement method : type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyDeclared())) {
            boolean isInherited = type != bean;
            if (Binding.isRefused(method) && !(isInherited && type.isInterface() && method.isStatic())) {
                context.fail(
                        "@TokenBudget on " + Binding.name(method)
                                + (isInherited ? ", which the bean " + bean.getName() + " has" : "")
                                + ": the method is " + Binding.obstacle(method)
                                + ", so Micronaut cannot intercept it; make it an instance method that is neither private nor final",
                        isInherited ? bean : method);
            }
        }
    }

    private static void bind(ClassElement bean) {
        if (bean.hasAnnotation(Binding.TOKEN_BUDGET)) {
            Nearest.declare(bean);
            Binding.add(bean);
        }
        for (MethodElement method : bean.getEnclosedElements(ElementQuery.ALL_METHODS.onlyInstance())) {
            if (Binding.isAnnotated(method) && !Binding.isRefused(method)) {
                Nearest.declare(method, bean);
                Binding.add(method);
                method.stringValue(Binding.TOKEN_BUDGET, "fallback")
                        .ifPresent(name -> Binding.makeCallable(bean, name));
            }
        }
    }

    private static void bindWhatItMakes(ClassElement factory, FactoryMade made) {
        for (MethodElement method : factory.getEnclosedElements(ElementQuery.ALL_METHODS)) {
            made.bind(method, method.getReturnType());
        }
        for (FieldElement field : factory.getEnclosedElements(ElementQuery.ALL_FIELDS)) {
            made.bind(field, field.getType());
        }
    }
}
