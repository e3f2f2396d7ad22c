package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.TokenBudget;
import jakarta.servlet.Filter;
import org.slf4j.MDC;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A service, on Spring MVC as well as on WebFlux, that asks for its callers and, for some of them, for itself. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Front.Platform.class, Front.Asking.class, Front.OnServlets.class})
class Front {

    /** Pays for itself, whoever's request is served. */
    static class Platform {
        private final ChatClient client;

        Platform(ChatClient.Builder builder) {
            this.client = builder.build();
        }

        @TokenBudget(tenant = "platform")
        public Mono<String> ask() {
            return answer(client);
        }

        @TokenBudget(agent = "bounded", maxTokens = 13)
        public Mono<String> askBounded() {
            return answer(client);
        }

        private static Mono<String> answer(ChatClient client) {
            return client.prompt("What is on offer?").stream()
                    .content()
                    .collectList()
                    .map(pieces -> String.join("", pieces));
        }
    }

    @RestController
    static class Asking {
        private final ChatClient client;
        private final Platform platform;

        Asking(ChatClient.Builder builder, Platform platform) {
            this.client = builder.build();
            this.platform = platform;
        }

        @GetMapping("/ask")
        Mono<String> ask() {
            return Platform.answer(client);
        }

        @GetMapping("/idle")
        String idle() {
            return "nothing to ask";
        }

        @GetMapping("/cached")
        ResponseEntity<String> cached() {
            return ResponseEntity.ok()
                    .header("Cache-Control", "public, max-age=60")
                    .body("the same for everybody");
        }

        @GetMapping("/for-others")
        Mono<String> forOthers() {
            return platform.ask();
        }

        @GetMapping("/bounded")
        Mono<String> bounded() {
            return platform.askBounded();
        }

        @GetMapping(path = "/late", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> late() {
            return Flux.just("wait").concatWith(ask());
        }

        @GetMapping(path = "/late-for-others", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> lateForOthers() {
            return Flux.just("wait").concatWith(platform.ask());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {
        @Bean
        Filter callerInDiagnosticContext() {
            return (request, response, chain) -> {
                MDC.put("tenant", request.getParameter("mdc"));
                try {
                    chain.doFilter(request, response);
                } finally {
                    MDC.remove("tenant");
                }
            };
        }

        @RestController
        static class Blocking {
            private final Platform platform;
            private final Asking asking;

            Blocking(Platform platform, Asking asking) {
                this.platform = platform;
                this.asking = asking;
            }

            @GetMapping("/blocking")
            String blocking() {
                return String.valueOf(asking.ask().block());
            }

            @GetMapping("/parent")
            String parent() {
                return String.valueOf(MDC.get("token-budget.parent"));
            }

            /** Leaves behind, on its thread, for whom it has worked. */
            @GetMapping("/careless")
            String careless() {
                MDC.put("tenant", "platform");
                return String.valueOf(platform.ask().block());
            }
        }
    }
}
