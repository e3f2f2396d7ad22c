package io.tokenbudget.core.config;

import io.tokenbudget.core.config.IdentitySource.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Identity sources as users write them: {@code mdc:tenant}. */
final class IdentityText {
    private static final String ALLOWED =
            Arrays.stream(Kind.values()).map(Kind::allowed).collect(Collectors.joining(", "));

    /** RFC 9110, section 5.6.2: token. */
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private IdentityText() {}

    /**
     * @throws InvalidValueException if it is no source
     */
    static IdentitySource parse(String text) {
        int colon = text.indexOf(':');
        Kind kind = kind(colon < 0 ? text : text.substring(0, colon));
        String name = colon < 0 ? "" : text.substring(colon + 1).trim();
        if (kind == null || kind.named == name.isEmpty() || (!kind.named && colon >= 0)) {
            throw InvalidValueException.notAllowed(text, kind == null ? ALLOWED : kind.allowed());
        }
        if (kind == Kind.HEADER && !FIELD_NAME.matcher(name).matches()) {
            throw InvalidValueException.found(text, "\"" + name + "\" cannot be the name of a header field");
        }
        return new IdentitySource(kind, name);
    }

    private static @Nullable Kind kind(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.text.equals(text)) {
                return kind;
            }
        }
        return null;
    }

    /** {@code mdc:tenant, literal:default}; {@code []} if there are none. */
    static String format(List<IdentitySource> sources) {
        return sources.isEmpty()
                ? "[]"
                : sources.stream().map(IdentitySource::toString).collect(Collectors.joining(", "));
    }
}
