package io.tokenbudget.examples.springbootagent;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class AskController {
    private final ChatClient chatClient;

    AskController(ChatClient.Builder builder, WeatherTools tools) {
        this.chatClient = builder.defaultTools(tools).build();
    }

    @GetMapping("/ask")
    String ask(@RequestParam("q") String question) {
        return chatClient.prompt().user(question).call().content();
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    String modelCallFailed(RuntimeException failure) {
        return failure.getMessage();
    }
}
