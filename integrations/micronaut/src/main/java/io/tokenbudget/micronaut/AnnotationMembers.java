package io.tokenbudget.micronaut;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.annotation.AnnotationMetadataHierarchy;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.method.AnnotationValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link TokenBudget} says, from the metadata that Micronaut's compiler has written. */
final class AnnotationMembers {
    private AnnotationMembers() {}

    /**
     * The method's own; else of what it overrides; else the type's own; else of a type above. Null if there is none.
     *
     * <p>Micronaut mixes the members of one that is declared with those of one that is inherited. Here the nearest says all.
     */
    static @Nullable AnnotationValues in(AnnotationMetadata metadata) {
        if (metadata instanceof AnnotationMetadataHierarchy methodAndType) {
            AnnotationValues ofMethod = nearest(methodAndType.getDeclaredMetadata());
            return ofMethod == null ? nearest(methodAndType.getRootMetadata()) : ofMethod;
        }
        return nearest(metadata);
    }

    private static @Nullable AnnotationValues nearest(AnnotationMetadata metadata) {
        AnnotationValue<TokenBudget> declared = metadata.getDeclaredAnnotation(TokenBudget.class);
        AnnotationValue<TokenBudget> found = declared == null ? metadata.getAnnotation(TokenBudget.class) : declared;
        return found == null ? null : of(found);
    }

    private static AnnotationValues of(AnnotationValue<TokenBudget> annotation) {
        return new AnnotationValues(
                text(annotation, "agent"),
                text(annotation, "tenant"),
                text(annotation, "user"),
                text(annotation, "project"),
                text(annotation, "workspace"),
                text(annotation, "tool"),
                text(annotation, "plan"),
                text(annotation, "runId"),
                text(annotation, "idempotencyKey"),
                annotation.longValue("maxTokens").orElse(Long.MAX_VALUE),
                text(annotation, "maxCost"),
                annotation.longValue("reserve").orElse(0),
                List.of(annotation.stringValues("limits")),
                text(annotation, "fallback"));
    }

    private static String text(AnnotationValue<TokenBudget> annotation, String member) {
        return annotation.stringValue(member).orElse("");
    }
}
