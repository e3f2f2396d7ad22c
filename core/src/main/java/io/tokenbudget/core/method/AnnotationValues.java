package io.tokenbudget.core.method;

import java.lang.annotation.Annotation;
import java.util.List;

/**
 * What one {@link io.tokenbudget.TokenBudget} says, wherever it was read: an application's class of that name need not be
 * ours. For each the annotation's own Javadoc gives the meaning.
 *
 * <p>Immutable.
 */
public record AnnotationValues(
        String agent,
        String tenant,
        String user,
        String project,
        String workspace,
        String tool,
        String plan,
        String runId,
        String idempotencyKey,
        long maxTokens,
        String maxCost,
        long reserve,
        List<String> limits,
        String fallback) {

    /** The name of the annotation. */
    public static final String ANNOTATION = "io.tokenbudget.TokenBudget";

    /** Copies the list. */
    public AnnotationValues {
        limits = List.copyOf(limits);
    }

    /**
     * @param annotation one of that name, of any class loader; what a version of it does not have is not said
     * @throws IllegalStateException if a member cannot be read
     */
    public static AnnotationValues of(Annotation annotation) {
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
                (long) member(annotation, "maxTokens", Long.MAX_VALUE),
                text(annotation, "maxCost"),
                (long) member(annotation, "reserve", 0L),
                List.of((String[]) member(annotation, "limits", new String[0])),
                text(annotation, "fallback"));
    }

    private static String text(Annotation annotation, String name) {
        return (String) member(annotation, name, "");
    }

    private static Object member(Annotation annotation, String name, Object unsaid) {
        try {
            return annotation.annotationType().getMethod(name).invoke(annotation);
        } catch (NoSuchMethodException ofAnotherVersion) {
            return unsaid;
        } catch (ReflectiveOperationException unreadable) {
            throw new IllegalStateException(name + " of " + annotation + " cannot be read", unreadable);
        }
    }
}
