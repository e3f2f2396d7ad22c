package io.tokenbudget.integrationtests.springboot;

import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.jdk.JdkHttpClient;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.http.OutgoingContext;
import java.net.http.HttpClient;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** A service that asks another one, by each of the clients that Spring Boot and LangChain4j have. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Relay.Asking.class, Relay.Planner.class})
class Relay {

    static class Planner {
        private final RestClient client;
        private final WebClient reactive;
        private final RestTemplate template;
        private final JdkHttpClient ofLangChain4j;

        Planner(
                RestClient.Builder client,
                WebClient.Builder reactive,
                ListableBeanFactory beans,
                OutgoingContext outgoing)
                throws ReflectiveOperationException {
            this.client = client.build();
            this.reactive = reactive.build();
            // Its type has another package in Spring Boot 4.
            Object builder = beans.getBean("restTemplateBuilder");
            this.template = (RestTemplate) builder.getClass().getMethod("build").invoke(builder);
            this.ofLangChain4j = JdkHttpClient.builder()
                    .httpClientBuilder(outgoing.with(HttpClient.newBuilder()))
                    .build();
        }

        @TokenBudget(agent = "planner")
        public String askTwice(String by, String url) {
            return ask(by, url) + ask(by, url);
        }

        private String ask(String by, String url) {
            String answer = switch (by) {
                case "RestClient" -> client.get().uri(url).retrieve().body(String.class);
                case "RestTemplate" -> template.getForObject(url, String.class);
                case "WebClient" -> later(url).block();
                case "LangChain4j" ->
                    ofLangChain4j
                            .execute(HttpRequest.builder()
                                    .method(HttpMethod.GET)
                                    .url(url)
                                    .build())
                            .body();
                default -> throw new IllegalArgumentException(by);
            };
            return Objects.requireNonNull(answer);
        }

        @TokenBudget(agent = "planner")
        public Mono<String> later(String url) {
            return reactive.get().uri(url).retrieve().bodyToMono(String.class);
        }
    }

    @RestController
    static class Asking {
        private final Planner planner;

        Asking(Planner planner) {
            this.planner = planner;
        }

        @GetMapping("/relay")
        String relay(@RequestParam("by") String by, @RequestParam("url") String url) {
            return planner.askTwice(by, url);
        }

        @GetMapping("/relay-later")
        Mono<String> relayLater(@RequestParam("url") String url) {
            return planner.later(url);
        }
    }
}
