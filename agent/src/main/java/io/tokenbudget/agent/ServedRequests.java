package io.tokenbudget.agent;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who is calling, as the HTTP requests that one application loader serves say it. Knows the servlet API, of either package,
 * and Spring WebFlux by the names of their methods alone. Thread-safe.
 */
public final class ServedRequests {
    private final CallMeter meter;
    private final boolean askWhoIsLoggedIn;

    private ServedRequests(CallMeter meter) {
        this.meter = meter;
        this.askWhoIsLoggedIn = meter.settings().identity().values().stream()
                .flatMap(List<IdentitySource>::stream)
                .map(IdentitySource::kind)
                .anyMatch(kind -> kind == IdentitySource.Kind.PRINCIPAL || kind == IdentitySource.Kind.CLAIM);
    }

    /** @param advice a class defined by a bridge loader */
    public static ServedRequests of(Class<?> advice) {
        return new ServedRequests(BridgeLoader.meterFor(advice));
    }

    /**
     * Opens on this thread what a servlet's request says.
     *
     * @param request a {@code ServletRequest}
     * @return to be closed on this thread; null if it says nothing, or is served inside of another one
     */
    public CallerSource.@Nullable Scope open(Object request) {
        return meter.openRequest(source -> ofServlet(request, source));
    }

    /**
     * What is to be carried along with the handling of a WebFlux request.
     *
     * @param request a {@code ServerHttpRequest}
     * @return null if it says nothing
     */
    public @Nullable Object carried(Object request) {
        return meter.carriedRequest(source -> ofWebFlux(request, null, source), null);
    }

    /**
     * The same once it is known who is logged in.
     *
     * @param exchange a {@code ServerWebExchange}
     * @param principal null if nobody is
     * @param around what is carried along already, or null
     */
    public @Nullable Object carried(Object exchange, @Nullable Object principal, @Nullable Object around) {
        Object request = call(exchange, "getRequest");
        return meter.carriedRequest(source -> ofWebFlux(request, principal, source), around);
    }

    /**
     * Who is logged in.
     *
     * @param exchange a {@code ServerWebExchange}
     * @return a {@code Mono}; null if the configuration does not ask for it
     */
    public @Nullable Object principal(Object exchange) {
        return askWhoIsLoggedIn ? call(exchange, "getPrincipal") : null;
    }

    private static @Nullable String ofServlet(Object request, IdentitySource source) {
        return switch (source.kind()) {
            case HEADER -> text(call(request, "getHeader", source.name()));
            case PRINCIPAL -> text(call(request, "getRemoteUser"));
            case CLAIM -> claim(call(request, "getUserPrincipal"), source.name());
            default -> null;
        };
    }

    private static @Nullable String ofWebFlux(
            @Nullable Object request, @Nullable Object principal, IdentitySource source) {
        return switch (source.kind()) {
            case HEADER -> text(call(call(request, "getHeaders"), "getFirst", source.name()));
            case PRINCIPAL -> text(call(principal, "getName"));
            case CLAIM -> claim(principal, source.name());
            default -> null;
        };
    }

    /** Of Spring Security's tokens, what its principals hold, and MicroProfile's tokens. */
    private static @Nullable String claim(@Nullable Object principal, String name) {
        Object ofToken = call(principal, "getTokenAttributes");
        if (ofToken instanceof Map<?, ?> claims) {
            return text(claims.get(name));
        }
        for (String method : new String[] {"getClaims", "getAttributes"}) {
            Object attributes = call(call(principal, "getPrincipal"), method);
            if (attributes instanceof Map<?, ?> claims && claims.get(name) != null) {
                return text(claims.get(name));
            }
        }
        return text(call(principal, "getClaim", name));
    }

    /** A claim of several values is no name. */
    private static @Nullable String text(@Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            return text(optional.orElse(null));
        }
        return value instanceof String || value instanceof Number || value instanceof Boolean
                ? String.valueOf(value)
                : null;
    }

    /** Null also if {@code target} has no such public method. */
    private static @Nullable Object call(@Nullable Object target, String name, String... arguments) {
        Class<?>[] parameters = new Class<?>[arguments.length];
        Arrays.fill(parameters, String.class);
        Method method = target == null ? null : method(target.getClass(), name, parameters);
        if (method == null) {
            return null;
        }
        try {
            return method.invoke(target, (Object[]) arguments);
        } catch (IllegalAccessException closed) {
            return null;
        } catch (InvocationTargetException failed) {
            throw new IllegalStateException(name + " of an HTTP request failed", failed.getCause());
        }
    }

    /** By a public type: the class itself may be hidden. */
    private static @Nullable Method method(Class<?> type, String name, Class<?>[] parameters) {
        if (Modifier.isPublic(type.getModifiers())) {
            try {
                return type.getMethod(name, parameters);
            } catch (NoSuchMethodException notThere) {
                return null;
            }
        }
        Method found = type.getSuperclass() == null ? null : method(type.getSuperclass(), name, parameters);
        for (int i = 0; found == null && i < type.getInterfaces().length; i++) {
            found = method(type.getInterfaces()[i], name, parameters);
        }
        return found;
    }
}
