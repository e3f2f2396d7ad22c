package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.BudgetContext;
import java.nio.charset.StandardCharsets;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same service on WebFlux. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({FluxShop.Asking.class, FluxShop.Page.class})
class FluxShop {

    @RestController
    static class Asking {
        private final ChatClient client;

        Asking(ChatClient.Builder builder) {
            this.client = builder.build();
        }

        @GetMapping("/ask")
        Mono<String> ask() {
            return client.prompt("What is on offer?").stream()
                    .content()
                    .collectList()
                    .map(pieces -> String.join("", pieces));
        }

        @GetMapping("/cached")
        Mono<String> cached(ServerWebExchange exchange) {
            exchange.getResponse().getHeaders().setCacheControl("public, max-age=60");
            return ask();
        }

        @GetMapping("/wrapped")
        Mono<String> wrapped() {
            return ask().onErrorMap(refused -> new IllegalStateException("cannot answer", refused));
        }

        @GetMapping(path = "/late", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> late() {
            return Flux.just("wait").concatWith(ask());
        }

        @GetMapping("/fails")
        Mono<String> fails() {
            return Mono.error(new UnsupportedOperationException());
        }

        @ExceptionHandler
        Mono<String> explain(UnsupportedOperationException failed) {
            return ask();
        }
    }

    /** Of what is not found; outside of what serves the request. */
    @Order(-10)
    static class Page implements WebExceptionHandler {
        private final Asking asking;

        Page(Asking asking) {
            this.asking = asking;
        }

        @Override
        public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
            return thrown instanceof ResponseStatusException notFound
                    ? asking.ask()
                            .contextWrite(context ->
                                    context.put(BudgetContext.KEY, exchange.getRequiredAttribute(BudgetContext.KEY)))
                            .flatMap(text -> write(exchange.getResponse(), notFound, text))
                    : Mono.error(thrown);
        }

        private static Mono<Void> write(ServerHttpResponse response, ResponseStatusException notFound, String text) {
            response.setStatusCode(notFound.getStatusCode());
            return response.writeWith(Mono.just(response.bufferFactory().wrap(text.getBytes(StandardCharsets.UTF_8))));
        }
    }
}
