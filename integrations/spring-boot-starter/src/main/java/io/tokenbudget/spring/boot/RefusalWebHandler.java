package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RefusalAnswer;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers a refusal that leaves what serves a request of WebFlux, as itself or behind other exceptions. Stateless. */
final class RefusalWebHandler implements WebExceptionHandler, Ordered {
    /** Before Spring Boot's, which stands at -1 and answers everything. */
    private static final int BEFORE_DEFAULT = -2;

    @Override
    public int getOrder() {
        return BEFORE_DEFAULT;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
        RefusalAnswer answer = RefusalAnswer.among(thrown, Asker.in(exchange.getAttribute(Asker.ATTRIBUTE)));
        ServerHttpResponse response = exchange.getResponse();
        if (answer == null || response.isCommitted()) {
            return Mono.error(thrown);
        }
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        answer.headers().forEach(response.getHeaders()::set);
        if (response.getHeaders().getCacheControl() != null) {
            // What was said of the answer that is not given.
            response.getHeaders().setCacheControl("no-store");
        }
        response.getHeaders().setContentType(MediaType.parseMediaType(answer.contentType()));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
