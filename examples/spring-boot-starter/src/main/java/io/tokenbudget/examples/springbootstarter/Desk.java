package io.tokenbudget.examples.springbootstarter;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;

/** Answers questions. */
@Service
class Desk {
    private final ChatClient client;

    Desk(ChatClient.Builder builder) {
        this.client = builder.build();
    }

    @TokenBudget(agent = "desk", maxTokens = 5_000)
    String answer(String question) {
        return client.prompt(question).call().content();
    }

    @TokenBudget(agent = "desk", maxTokens = 5_000)
    Flux<String> tell(String question) {
        return client.prompt(question).stream().content();
    }

    @TokenBudget(agent = "summary", fallback = "withoutSummary")
    String summary(String text) {
        return client.prompt("In one sentence: " + text).call().content();
    }

    String withoutSummary(String text, LimitExceededException refused) {
        return text.substring(0, Math.min(40, text.length())) + "...";
    }
}
