package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.LimitExceededException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** A service of many tenants, which are told apart by a header. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Shop.Asking.class, Shop.AnswersItself.class, Shop.MakesErrorsOfEverything.class})
class Shop {

    @RestController
    static class Asking {
        private final ChatClient client;

        Asking(ChatClient.Builder builder) {
            this.client = builder.build();
        }

        @GetMapping("/ask")
        String ask() {
            return Objects.requireNonNull(
                    client.prompt("What is on offer?").call().content());
        }

        @GetMapping("/cached")
        String cached(HttpServletResponse response) {
            response.setHeader("Cache-Control", "public, max-age=60");
            return ask();
        }

        @GetMapping("/wrapped")
        String wrapped() {
            try {
                return ask();
            } catch (LimitExceededException refused) {
                throw new IllegalStateException("cannot answer", refused);
            }
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            return client.prompt("What is on offer?").stream().content();
        }

        @GetMapping(path = "/late", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> late() {
            return Flux.just("wait")
                    .concatWith(client.prompt("What is on offer?").stream().content());
        }
    }

    @RestController
    static class AnswersItself {
        private final OpenAiChatModel model;

        AnswersItself(OpenAiChatModel model) {
            this.model = model;
        }

        @GetMapping("/own")
        String own() {
            return model.call("What is on offer?");
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
        String refused(LimitExceededException refused) {
            return "own answer to " + refused.scope();
        }
    }

    @ControllerAdvice
    static class MakesErrorsOfEverything {
        @ExceptionHandler(Exception.class)
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        void failed() {}
    }
}
