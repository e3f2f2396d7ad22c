package org.springframework.ai.example;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.support.UsageCalculator;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * A model that streams scripted rounds and runs tools inside the stream as the models of Spring AI 1.0 do, and is taken for
 * one of them: the loop is theirs, step by step.
 */
public class StreamedLoopModel implements ChatModel {
    private final ToolCallingManager tools;
    private final Deque<Flux<ChatResponse>> rounds = new ArrayDeque<>();
    public final AtomicInteger providerCalls = new AtomicInteger();
    public final AtomicInteger closedEarly = new AtomicInteger();
    public final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    public StreamedLoopModel(ToolCallingManager tools) {
        this.tools = tools;
    }

    /** The next round sends these chunks. */
    public StreamedLoopModel sends(ChatResponse... chunks) {
        return sends(Flux.just(chunks));
    }

    /** The next round sends what {@code chunks} sends. */
    public StreamedLoopModel sends(Flux<ChatResponse> chunks) {
        rounds.add(chunks);
        return this;
    }

    public static ChatResponse chunk(String text, int prompt, int completion) {
        return chunk(text, prompt == 0 ? new EmptyUsage() : new DefaultUsage(prompt, completion, prompt + completion));
    }

    public static ChatResponse chunk(String text, Usage usage) {
        return response(new AssistantMessage(text), usage);
    }

    /** A chunk that has nothing but usage. */
    public static ChatResponse usageOnly(int prompt, int completion) {
        return new ChatResponse(
                List.of(),
                ChatResponseMetadata.builder()
                        .usage(new DefaultUsage(prompt, completion, prompt + completion))
                        .build());
    }

    /** A chunk that says why the answer ends. */
    public static ChatResponse finished(String reason) {
        return new ChatResponse(List.of(new Generation(
                new AssistantMessage(""),
                ChatGenerationMetadata.builder().finishReason(reason).build())));
    }

    /** A chunk that asks for a tool. */
    public static ChatResponse toolCall(String tool, int prompt, int completion) {
        AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("call-1", "function", tool, "{}");
        Usage usage = prompt == 0 ? new EmptyUsage() : new DefaultUsage(prompt, completion, prompt + completion);
        return response(new AssistantMessage("", Map.of(), List.of(call)), usage);
    }

    private static ChatResponse response(AssistantMessage message, Usage usage) {
        return new ChatResponse(
                List.of(new Generation(message)),
                ChatResponseMetadata.builder().usage(usage).build());
    }

    @Override
    public ChatOptions getDefaultOptions() {
        return ChatOptions.builder().build();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
        return internalStream(new Prompt(prompt.getInstructions(), prompt.getOptions()), null);
    }

    private Flux<ChatResponse> internalStream(Prompt prompt, ChatResponse previous) {
        return Flux.deferContextual(context -> {
            providerCalls.incrementAndGet();
            requests.add(prompt.getContents());
            Flux<ChatResponse> own = rounds.remove();
            return own.doOnCancel(closedEarly::incrementAndGet)
                    .map(chunk -> previous == null ? chunk : added(chunk, previous))
                    .flatMap(response -> {
                        if (!response.hasToolCalls()) {
                            return Flux.just(response);
                        }
                        return Flux.defer(() -> afterTools(prompt, response)).subscribeOn(Schedulers.boundedElastic());
                    });
        });
    }

    private Flux<ChatResponse> afterTools(Prompt prompt, ChatResponse response) {
        ToolExecutionResult result = tools.executeToolCalls(prompt, response);
        if (result.returnDirect()) {
            return Flux.just(ChatResponse.builder()
                    .from(response)
                    .generations(ToolExecutionResult.buildGenerations(result))
                    .build());
        }
        return internalStream(new Prompt(result.conversationHistory(), prompt.getOptions()), response);
    }

    private static ChatResponse added(ChatResponse chunk, ChatResponse previous) {
        Usage sum = UsageCalculator.getCumulativeUsage(chunk.getMetadata().getUsage(), previous);
        return new ChatResponse(
                chunk.getResults(), ChatResponseMetadata.builder().usage(sum).build());
    }
}
