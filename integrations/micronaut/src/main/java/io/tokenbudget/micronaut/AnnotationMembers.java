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

    /** @param ofType whether it stands on a type, for all its methods */
    record Found(AnnotationValues values, boolean ofType) {}

    /**
     * The method's own; else of what it overrides; else the type's own; else of a type above. Null if there is none.
     *
     * <p>Micronaut mixes the members of one that is declared with those of one that is inherited. Here the nearest says all: the
     * compiler has declared it where a method or a type only inherits.
     *
     * @param metadata of the method; Micronaut shares the type's with each method that has no annotation of its own
     * @param ofType of the bean, null where it is not known
     */
    @SuppressWarnings("ReferenceEquality") // the type's own
    static @Nullable Found in(AnnotationMetadata metadata, @Nullable AnnotationMetadata ofType) {
        if (metadata instanceof AnnotationMetadataHierarchy methodAndType) {
            AnnotationValues ofMethod = nearest(methodAndType.getDeclaredMetadata());
            return ofMethod == null
                    ? found(nearest(methodAndType.getRootMetadata()), true)
                    : new Found(ofMethod, false);
        }
        return found(nearest(metadata), metadata == ofType);
    }

    private static @Nullable Found found(@Nullable AnnotationValues values, boolean ofType) {
        return values == null ? null : new Found(values, ofType);
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
