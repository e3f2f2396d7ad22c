package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.ContextHeader;
import io.tokenbudget.core.http.OutgoingContext;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestInitializer;

/**
 * Says to other services for whom a request is made, in those of {@code RestClient} and {@code RestTemplate}. No interceptor:
 * with one, bodies are kept in memory until they are whole. Thread-safe.
 */
final class ContextInitializer implements ClientHttpRequestInitializer {
    private final OutgoingContext context;

    ContextInitializer(OutgoingContext context) {
        this.context = context;
    }

    @Override
    public void initialize(ClientHttpRequest request) {
        String value = context.to(request.getURI().getHost());
        if (value != null) {
            request.getHeaders().set(ContextHeader.NAME, value);
        }
    }
}
