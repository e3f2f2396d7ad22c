package io.tokenbudget.core.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Identity sources as users write them: {@code mdc:tenant}. */
final class IdentityText {
    private static final Map<String, IdentitySource.Kind> KINDS = Map.of(
            "literal", IdentitySource.Kind.LITERAL,
            "property", IdentitySource.Kind.PROPERTY,
            "env", IdentitySource.Kind.ENV,
            "mdc", IdentitySource.Kind.MDC);
    private static final Set<String> LATER = Set.of(
            "header",
            "baggage",
            "principal",
            "claim",
            "memoryId",
            "memory-id",
            "invocation",
            "invocation-parameter",
            "advisor",
            "advisor-parameter");
    private static final String ALLOWED = "literal:<value>, property:<name>, env:<name>, mdc:<key>";

    private IdentityText() {}

    /**
     * @throws InvalidValueException if it is no source, or one of a later version
     */
    static IdentitySource parse(String text) {
        int colon = text.indexOf(':');
        String kindText = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1).trim();
        if (LATER.contains(kindText)) {
            throw InvalidValueException.found(text, kindText + " is not supported yet; allowed: " + ALLOWED);
        }
        IdentitySource.Kind kind = KINDS.get(kindText);
        if (kind == null || name.isEmpty()) {
            throw InvalidValueException.notAllowed(text, ALLOWED);
        }
        return new IdentitySource(kind, name);
    }

    /** {@code mdc:tenant, literal:default}; {@code []} if there are none. */
    static String format(List<IdentitySource> sources) {
        return sources.isEmpty()
                ? "[]"
                : sources.stream()
                        .map(source -> Choice.format(source.kind()) + ':' + source.name())
                        .collect(Collectors.joining(", "));
    }
}
