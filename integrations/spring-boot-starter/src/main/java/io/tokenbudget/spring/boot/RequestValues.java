package io.tokenbudget.spring.boot;

import io.tokenbudget.core.config.IdentitySource;
import java.lang.reflect.Method;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * What one HTTP request says at a source. Claims are read from Spring Security's authentications by the methods that all of
 * them have, so that nothing of it is linked to. Stateless.
 */
final class RequestValues {
    /** Of a token that was checked; of the user that a client's login has brought. */
    private static final Set<String> CLAIMS = Set.of("getTokenAttributes", "getClaims", "getAttributes");

    private RequestValues() {}

    /**
     * @param header a header field's value, or null
     * @param principal who the request is authenticated as, or null
     */
    static Function<IdentitySource, @Nullable String> of(
            Function<String, @Nullable String> header, @Nullable Principal principal) {
        return source -> switch (source.kind()) {
            case HEADER -> header.apply(source.name());
            case PRINCIPAL -> principal == null ? null : principal.getName();
            case CLAIM -> principal == null ? null : claim(principal, source.name());
            default -> null;
        };
    }

    private static @Nullable String claim(Principal principal, String name) {
        Object value = claimOf(principal, name);
        if (value == null) {
            Object inside = call(principal, "getPrincipal");
            value = inside == null ? null : claimOf(inside, name);
        }
        return value instanceof CharSequence || value instanceof Number || value instanceof Boolean
                ? value.toString()
                : null;
    }

    private static @Nullable Object claimOf(Object holder, String name) {
        for (String method : CLAIMS) {
            if (call(holder, method) instanceof Map<?, ?> claims && claims.get(name) != null) {
                return claims.get(name);
            }
        }
        return null;
    }

    private static @Nullable Object call(Object object, String name) {
        Method method = ReflectionUtils.findMethod(object.getClass(), name);
        if (method == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(method);
        return ReflectionUtils.invokeMethod(method, object);
    }
}
