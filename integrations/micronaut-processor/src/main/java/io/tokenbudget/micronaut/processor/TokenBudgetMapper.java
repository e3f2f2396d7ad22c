package io.tokenbudget.micronaut.processor;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.annotation.NamedAnnotationMapper;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;

/**
 * Makes {@code io.tokenbudget.TokenBudget}, which knows nothing of Micronaut, the binding of an interceptor around the
 * methods that have it. Found by Micronaut through {@code META-INF/services}. Keeps nothing.
 */
public final class TokenBudgetMapper implements NamedAnnotationMapper {

    @Override
    public String getName() {
        return TokenBudgetVisitor.TOKEN_BUDGET;
    }

    @Override
    public List<AnnotationValue<?>> map(AnnotationValue<Annotation> annotation, VisitorContext visitorContext) {
        return List.copyOf(TokenBudgetVisitor.mapped());
    }
}
