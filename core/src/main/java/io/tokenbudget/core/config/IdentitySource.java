package io.tokenbudget.core.config;

/**
 * Where a dimension's value may come from.
 *
 * @param kind which kind of place
 * @param name the name there; the value itself for {@link Kind#LITERAL}
 */
public record IdentitySource(Kind kind, String name) {
    /** The kinds of places that are supported. */
    public enum Kind {
        /** The value is written in the configuration. */
        LITERAL,
        /** A Java system property. */
        PROPERTY,
        /** An environment variable. */
        ENV,
        /** The application's SLF4J mapped diagnostic context. */
        MDC
    }
}
