package io.tokenbudget.integrationtests.springai;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.MessageAggregator;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** How an application asks a model. */
enum Asking {
    /** Through the fluent client, which in 2.0 runs the tools. */
    CHAT_CLIENT {
        @Override
        String ask(ChatModel model, ToolCallingManager manager, String question, ToolCallback... tools) {
            String answer = Generation.present()
                    .client(model, manager)
                    .prompt()
                    .user(question)
                    .toolCallbacks(tools)
                    .call()
                    .content();
            return String.valueOf(answer);
        }

        @Override
        Flux<ChatResponse> stream(ChatModel model, ToolCallingManager manager, String question, ToolCallback... tools) {
            return Generation.present().client(model, manager).prompt().user(question).toolCallbacks(tools).stream()
                    .chatResponse();
        }
    },
    /** The model itself, with a loop of the application's own around it for the tools that 2.0 leaves to it. */
    CHAT_MODEL {
        @Override
        String ask(ChatModel model, ToolCallingManager manager, String question, ToolCallback... tools) {
            if (tools.length == 0) {
                return text(model.call(new Prompt(question)));
            }
            ChatOptions options = Generation.present().withTools(model, tools);
            Prompt prompt = new Prompt(List.of(new UserMessage(question)), options);
            ChatResponse response = model.call(prompt);
            while (response.hasToolCalls()) {
                ToolExecutionResult result = manager.executeToolCalls(prompt, response);
                if (result.returnDirect()) {
                    return text(new ChatResponse(ToolExecutionResult.buildGenerations(result)));
                }
                prompt = new Prompt(result.conversationHistory(), options);
                response = model.call(prompt);
            }
            return text(response);
        }

        @Override
        Flux<ChatResponse> stream(ChatModel model, ToolCallingManager manager, String question, ToolCallback... tools) {
            if (tools.length == 0) {
                return model.stream(new Prompt(question));
            }
            ChatOptions options = Generation.present().withTools(model, tools);
            return rounds(model, manager, new Prompt(List.of(new UserMessage(question)), options));
        }
    };

    abstract String ask(ChatModel model, ToolCallingManager manager, String question, ToolCallback... tools);

    abstract Flux<ChatResponse> stream(
            ChatModel model, ToolCallingManager manager, String question, ToolCallback... tools);

    private static Flux<ChatResponse> rounds(ChatModel model, ToolCallingManager manager, Prompt prompt) {
        return Flux.defer(() -> {
            AtomicReference<ChatResponse> whole = new AtomicReference<>();
            Flux<ChatResponse> more = Flux.defer(() -> afterTools(model, manager, prompt, whole.get()));
            return new MessageAggregator()
                    .aggregate(model.stream(prompt), whole::set)
                    .concatWith(more.subscribeOn(Schedulers.boundedElastic()));
        });
    }

    private static Flux<ChatResponse> afterTools(
            ChatModel model, ToolCallingManager manager, Prompt prompt, @Nullable ChatResponse response) {
        if (response == null || !response.hasToolCalls()) {
            return Flux.empty();
        }
        ToolExecutionResult result = manager.executeToolCalls(prompt, response);
        return result.returnDirect()
                ? Flux.just(new ChatResponse(ToolExecutionResult.buildGenerations(result)))
                : rounds(model, manager, new Prompt(result.conversationHistory(), prompt.getOptions()));
    }

    private static String text(ChatResponse response) {
        org.springframework.ai.chat.model.Generation first = response.getResult();
        return first == null ? "null" : String.valueOf(first.getOutput().getText());
    }
}
