package io.tokenbudget.springai;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
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

/** A model that runs tools inside the call and sums usage over rounds, as those of Spring AI 1.x do; its rounds are scripted. */
class LoopingModel implements ChatModel {
    static final String TOOL = "lookup";

    private final ToolCallingManager tools;
    private final Deque<Supplier<ChatResponse>> rounds = new ArrayDeque<>();
    private final boolean cumulative;
    ChatOptions defaults = ChatOptions.builder().build();
    int providerCalls;

    LoopingModel(ToolCallingManager tools, boolean cumulative) {
        this.tools = tools;
        this.cumulative = cumulative;
    }

    /** The next round asks for the tool. */
    LoopingModel asksForTool(@Nullable Usage usage) {
        rounds.add(() -> response(toolCall(), usage));
        return this;
    }

    /** An answer that asks for the tool. */
    static ChatResponse asking() {
        return response(toolCall(), null);
    }

    private static AssistantMessage toolCall() {
        AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("call-1", "function", TOOL, "{}");
        return new AssistantMessage("", Map.of(), List.of(call));
    }

    /** The next round answers. */
    LoopingModel answers(String text, @Nullable Usage usage) {
        rounds.add(() -> response(new AssistantMessage(text), usage));
        return this;
    }

    /** The next round throws. */
    LoopingModel fails(RuntimeException thrown) {
        rounds.add(() -> {
            throw thrown;
        });
        return this;
    }

    static DefaultUsage usage(int prompt, int completion) {
        return new DefaultUsage(prompt, completion, prompt + completion);
    }

    @Override
    public ChatOptions getDefaultOptions() {
        return defaults;
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        return round(prompt, null);
    }

    private ChatResponse round(Prompt prompt, @Nullable ChatResponse previous) {
        providerCalls++;
        ChatResponse own = rounds.remove().get();
        Usage usage = cumulative
                ? UsageCalculator.getCumulativeUsage(own.getMetadata().getUsage(), previous)
                : own.getMetadata().getUsage();
        ChatResponse response = new ChatResponse(
                own.getResults(), ChatResponseMetadata.builder().usage(usage).build());
        if (!response.hasToolCalls()) {
            return response;
        }
        ToolExecutionResult result = tools.executeToolCalls(prompt, response);
        if (result.returnDirect()) {
            return ChatResponse.builder()
                    .from(response)
                    .generations(ToolExecutionResult.buildGenerations(result))
                    .build();
        }
        return round(new Prompt(result.conversationHistory(), prompt.getOptions()), response);
    }

    private static ChatResponse response(AssistantMessage message, @Nullable Usage usage) {
        return new ChatResponse(
                List.of(new Generation(message)),
                ChatResponseMetadata.builder()
                        .usage(usage == null ? new EmptyUsage() : usage)
                        .build());
    }
}
