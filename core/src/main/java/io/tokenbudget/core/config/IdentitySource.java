package io.tokenbudget.core.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a dimension's value may come from.
 *
 * @param kind which kind of place
 * @param name the name there; the value itself for {@link Kind#LITERAL}; empty for kinds that are one place
 */
public record IdentitySource(Kind kind, String name) {
    /**
     * The value that is there now, as {@link IdentityValue#of} bounds it; null if there is none, or a blank one.
     *
     * @param lookup reads the places that are not the process's own, and answers null for those it does not know
     */
    public @Nullable String value(Function<IdentitySource, @Nullable String> lookup) {
        return IdentityValue.of(raw(lookup));
    }

    /** The same as the place has it. */
    public @Nullable String raw(Function<IdentitySource, @Nullable String> lookup) {
        String value = switch (kind) {
            case LITERAL -> name;
            case PROPERTY -> System.getProperty(name);
            case ENV -> System.getenv(name);
            default -> lookup.apply(this);
        };
        return value == null || value.isBlank() ? null : value;
    }

    /** Whether a text contains a source of {@link Extent#REQUEST}, or what looks like one. Reads nothing. */
    public static boolean mayReadRequests(String configuration) {
        for (Kind kind : Kind.values()) {
            if (kind.extent == Extent.REQUEST && configuration.contains(kind.named ? kind.text + ':' : kind.text)) {
                return true;
            }
        }
        return false;
    }

    /** As users write it: {@code header:X-Tenant-Id}, {@code principal}. */
    @Override
    public String toString() {
        return kind.named ? kind.text + ':' + name : kind.text;
    }

    /** Of which extent a value is, and who can be asked for it. */
    public enum Extent {
        /** The process: the same for every call. */
        PROCESS,
        /** The thread of the call. */
        THREAD,
        /** The HTTP request that is served. */
        REQUEST,
        /** What the application asks the framework for: a method of an AI service, a call of a {@code ChatClient}. */
        CALL
    }

    /** The kinds of places that are supported. */
    public enum Kind {
        /** The value is written in the configuration. */
        LITERAL("literal", "value", Extent.PROCESS),
        /** A Java system property. */
        PROPERTY("property", "name", Extent.PROCESS),
        /** An environment variable. */
        ENV("env", "name", Extent.PROCESS),
        /** The application's SLF4J mapped diagnostic context. */
        MDC("mdc", "key", Extent.THREAD),
        /** The application's OpenTelemetry baggage. */
        BAGGAGE("baggage", "key", Extent.THREAD),
        /** A header field of the HTTP request that is served; its name in any case. */
        HEADER("header", "name", Extent.REQUEST),
        /** The name of the user that the HTTP request is authenticated as. */
        PRINCIPAL("principal", "", Extent.REQUEST),
        /** A claim of the token that the HTTP request is authenticated with. */
        CLAIM("claim", "name", Extent.REQUEST),
        /** The memory id of a LangChain4j AI service's call. */
        MEMORY_ID("memoryId", "", Extent.CALL),
        /** An invocation parameter of a LangChain4j AI service's call. */
        INVOCATION("invocation", "name", Extent.CALL),
        /** An advisor parameter of a call of Spring AI's {@code ChatClient}. */
        ADVISOR("advisor", "name", Extent.CALL);

        final String text;
        final boolean named;
        private final String allowed;
        private final Extent extent;

        Kind(String text, String nameMeans, Extent extent) {
            this.text = text;
            this.named = !nameMeans.isEmpty();
            this.allowed = named ? text + ":<" + nameMeans + '>' : text;
            this.extent = extent;
        }

        /** Of which extent its values are. */
        public Extent extent() {
            return extent;
        }

        /** The form in which users write a source of this kind. */
        String allowed() {
            return allowed;
        }
    }
}
