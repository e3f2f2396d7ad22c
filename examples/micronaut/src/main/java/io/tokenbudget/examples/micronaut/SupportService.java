package io.tokenbudget.examples.micronaut;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.retry.annotation.Retryable;
import io.micronaut.runtime.Micronaut;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import jakarta.inject.Singleton;

/** Answers customers' questions; each customer has a budget, and each answer a ceiling. */
public final class SupportService {
    private SupportService() {}

    /** {@code java -jar micronaut-example.jar -provider.url=http://127.0.0.1:8080/v1}. */
    public static void main(String[] arguments) {
        Micronaut.run(SupportService.class, arguments);
    }

    interface Assistant {
        @TokenBudget(agent = "assistant", maxTokens = 2_000)
        String answer(String question);
    }

    @Factory
    static class Models {
        @Singleton
        ChatModel chat(
                @Value("${provider.url}") String url,
                @Value("${provider.key}") String key,
                @Value("${provider.model}") String model) {
            return OpenAiChatModel.builder()
                    .baseUrl(url)
                    .apiKey(key)
                    .modelName(model)
                    .maxTokens(300)
                    .maxRetries(0)
                    .build();
        }

        @Singleton
        Assistant assistant(ChatModel chat) {
            return AiServices.create(Assistant.class, chat);
        }
    }

    @Singleton
    static class Desk {
        private final Assistant assistant;

        Desk(Assistant assistant) {
            this.assistant = assistant;
        }

        @Retryable(attempts = "3", delay = "100ms", excludes = LimitExceededException.class)
        @TokenBudget(agent = "desk", idempotencyKey = "{ticket}", maxTokens = 4_000)
        String handle(String ticket, String question) {
            return assistant.answer(question);
        }

        @TokenBudget(agent = "desk", maxTokens = 100, fallback = "later")
        String briefly(String question) {
            return assistant.answer(question);
        }

        String later(String question, LimitExceededException refused) {
            return "We come back to you.";
        }
    }

    @Controller
    static class Tickets {
        private final Desk desk;

        Tickets(Desk desk) {
            this.desk = desk;
        }

        @Get("/tickets/{ticket}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String ticket(String ticket, @QueryValue String question) {
            return desk.handle(ticket, question);
        }

        @Get("/briefly")
        @ExecuteOn(TaskExecutors.BLOCKING)
        String briefly(@QueryValue String question) {
            return desk.briefly(question);
        }
    }
}
