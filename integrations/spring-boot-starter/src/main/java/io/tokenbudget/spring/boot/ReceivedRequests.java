package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.IncomingContext.Received;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Requests as they reached the server: what Spring makes of {@code X-Forwarded-For} is what anybody may have written. Stateless.
 */
final class ReceivedRequests {
    private ReceivedRequests() {}

    private static Received received(@Nullable String peer, Function<String, List<String>> values) {
        return new Received(
                peer, values.apply(ContextHeader.NAME), values.apply("X-Forwarded-For"), values.apply("Forwarded"));
    }

    /** A servlet container's. */
    static final class OfServlets {
        /** Set where Tomcat has taken for the address what a proxy says, and has removed that from the request. */
        private static final String FORWARDED = "org.apache.tomcat.request.forwarded";

        private OfServlets() {}

        static Received of(HttpServletRequest request) {
            ServletRequest inside = request;
            while (inside instanceof ServletRequestWrapper wrapper) {
                inside = wrapper.getRequest();
            }
            HttpServletRequest raw = inside instanceof HttpServletRequest http ? http : request;
            String peer = raw.getAttribute(FORWARDED) == null ? raw.getRemoteAddr() : null;
            return received(peer, name -> Collections.list(raw.getHeaders(name)));
        }
    }

    /** WebFlux's, on Netty or in a servlet container; of other servers it is not known who has connected. */
    static final class OfWebFlux {
        private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
        private static final boolean SERVLETS = isPresent("jakarta.servlet.http.HttpServletRequest");

        private OfWebFlux() {}

        private static boolean isPresent(String type) {
            return ClassUtils.isPresent(type, ReceivedRequests.class.getClassLoader());
        }

        static Received of(ServerHttpRequest request) {
            Object raw = raw(request);
            if (NETTY && OfNetty.isOne(raw)) {
                return OfNetty.of(raw);
            }
            return SERVLETS && raw instanceof HttpServletRequest servlets
                    ? OfServlets.of(servlets)
                    : received(null, name -> request.getHeaders().getValuesAsList(name));
        }

        private static @Nullable Object raw(ServerHttpRequest request) {
            try {
                return ServerHttpRequestDecorator.getNativeRequest(request);
            } catch (IllegalArgumentException | IllegalStateException ofATest) {
                return null;
            }
        }
    }

    private static final class OfNetty {
        static boolean isOne(@Nullable Object raw) {
            return raw instanceof HttpServerRequest;
        }

        static Received of(@Nullable Object raw) {
            if (!(raw instanceof HttpServerRequest request)) {
                throw new IllegalArgumentException("not of Netty: " + raw);
            }
            List<InetSocketAddress> peer = new ArrayList<>();
            request.withConnection(connection -> {
                if (connection.channel().remoteAddress() instanceof InetSocketAddress address) {
                    peer.add(address);
                }
            });
            String digits = peer.isEmpty() || peer.get(0).isUnresolved()
                    ? null
                    : peer.get(0).getAddress().getHostAddress();
            return received(digits, name -> request.requestHeaders().getAll(name));
        }
    }
}
