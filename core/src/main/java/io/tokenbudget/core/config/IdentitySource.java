package io.tokenbudget.core.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a dimension's value may come from.
 *
 * @param kind which kind of place
 * @param name the name there; the value itself for {@link Kind#LITERAL}
 */
public record IdentitySource(Kind kind, String name) {
    /**
     * The value that is there now; null if there is none, or a blank one.
     *
     * @param mdc reads the application's diagnostic context
     */
    public @Nullable String value(Function<String, @Nullable String> mdc) {
        String value = switch (kind) {
            case LITERAL -> name;
            case PROPERTY -> System.getProperty(name);
            case ENV -> System.getenv(name);
            case MDC -> mdc.apply(name);
        };
        return value == null || value.isBlank() ? null : value;
    }

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
