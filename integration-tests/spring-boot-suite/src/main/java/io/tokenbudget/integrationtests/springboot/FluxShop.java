package io.tokenbudget.integrationtests.springboot;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same service on WebFlux. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(FluxShop.Asking.class)
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

        @GetMapping("/wrapped")
        Mono<String> wrapped() {
            return ask().onErrorMap(refused -> new IllegalStateException("cannot answer", refused));
        }

        @GetMapping(path = "/late", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> late() {
            return Flux.just("wait").concatWith(ask());
        }
    }
}
