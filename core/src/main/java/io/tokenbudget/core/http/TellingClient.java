package io.tokenbudget.core.http;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** The JDK's client, whose requests say for whom the thread works that makes them. Thread-safe. */
final class TellingClient extends HttpClient {
    private final HttpClient client;
    private final OutgoingContext context;

    TellingClient(HttpClient client, OutgoingContext context) {
        this.client = client;
        this.context = context;
    }

    private HttpRequest telling(HttpRequest request) {
        // What it is redirected to would get the field too.
        String value = client.followRedirects() == Redirect.NEVER
                ? context.to(request.uri().getHost())
                : null;
        return value == null
                ? request
                : HttpRequest.newBuilder(request, (name, any) -> !name.equalsIgnoreCase(ContextHeader.NAME))
                        .header(ContextHeader.NAME, value)
                        .build();
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(telling(request), handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return client.sendAsync(telling(request), handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
        return client.sendAsync(telling(request), handler, pushed);
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    /** Builds clients that tell. Not thread-safe. */
    static final class Builder implements HttpClient.Builder {
        private final HttpClient.Builder builder;
        private final OutgoingContext context;

        Builder(HttpClient.Builder builder, OutgoingContext context) {
            this.builder = builder;
            this.context = context;
        }

        @Override
        public HttpClient build() {
            return new TellingClient(builder.build(), context);
        }

        @Override
        public Builder cookieHandler(CookieHandler handler) {
            builder.cookieHandler(handler);
            return this;
        }

        @Override
        public Builder connectTimeout(Duration duration) {
            builder.connectTimeout(duration);
            return this;
        }

        @Override
        public Builder sslContext(SSLContext ssl) {
            builder.sslContext(ssl);
            return this;
        }

        @Override
        public Builder sslParameters(SSLParameters parameters) {
            builder.sslParameters(parameters);
            return this;
        }

        @Override
        public Builder executor(Executor executor) {
            builder.executor(executor);
            return this;
        }

        @Override
        public Builder followRedirects(Redirect policy) {
            builder.followRedirects(policy);
            return this;
        }

        @Override
        public Builder version(Version version) {
            builder.version(version);
            return this;
        }

        @Override
        public Builder priority(int priority) {
            builder.priority(priority);
            return this;
        }

        @Override
        public Builder proxy(ProxySelector proxies) {
            builder.proxy(proxies);
            return this;
        }

        @Override
        public Builder authenticator(Authenticator authenticator) {
            builder.authenticator(authenticator);
            return this;
        }
    }
}
