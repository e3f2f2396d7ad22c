package io.tokenbudget.springai;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.WeakIdentityMap;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;

/**
 * Which streamed call the tools belong to that run on some thread, and the run that it is part of.
 *
 * <p>Spring AI runs the tools of a stream on a thread of a pool. What connects the rounds of a tool loop is the Reactor
 * context, which tools can see since 1.1, and the objects that go from one round into the next: the prompt, the calls of
 * tools in the answer, their results in the next prompt.
 *
 * <p>Thread-safe. Keeps nothing alive.
 */
final class Conversations {
    /** Reactor context: the {@link StreamedCall} that what is subscribed to is part of. */
    static final String CALL = "io.tokenbudget.stream";

    /** Reactor context: a context that the application opened for what is subscribed to. */
    static final String CONTEXT = BudgetContext.KEY;

    /** Reactor context: the {@link Run} that began when a client's stream was subscribed to. */
    static final String RUN = "io.tokenbudget.run";

    /** @param call null if the rounds are calls of their own */
    record Conversation(@Nullable Run run, WeakReference<@Nullable StreamedCall> call) {
        static Conversation of(@Nullable Run run, @Nullable StreamedCall call) {
            // Only while it is subscribed to does anything else keep it.
            return new Conversation(run, new WeakReference<>(call));
        }
    }

    private static final ReactiveContext OF_TOOLS = ReactiveContext.ofTools();

    private final WeakIdentityMap<Conversation> known = new WeakIdentityMap<>();

    /** {@code prompt} is what a round of {@code call} sends. */
    void sends(Prompt prompt, StreamedCall call) {
        if (prompt.getInstructions() instanceof TaggedMessages tagged) {
            tagged.call = call;
        } else {
            known.put(prompt, Conversation.of(call.run(), call));
        }
    }

    /** A chunk of {@code call} has come: the tools that it asks for run after the call. */
    void answers(@Nullable ChatResponse chunk, StreamedCall call) {
        List<Generation> generations = chunk == null ? null : chunk.getResults();
        if (generations != null) {
            for (Generation generation : generations) {
                for (AssistantMessage.ToolCall toolCall : toolCalls(generation)) {
                    known.put(toolCall, Conversation.of(call.run(), null));
                }
            }
        }
    }

    /** What goes on with the results at the end of {@code history} is part of {@code conversation}. */
    void results(List<Message> history, Conversation conversation) {
        for (ToolResponseMessage.ToolResponse result : lastResults(history)) {
            known.put(result, conversation);
        }
    }

    /** What the tools run for that {@code response} to {@code prompt} asks for, or null. */
    @Nullable
    Conversation ofTools(@Nullable Prompt prompt, @Nullable ChatResponse response) {
        if (OF_TOOLS.get(CALL) instanceof StreamedCall call) {
            return Conversation.of(call.run(), call);
        }
        if (prompt != null) {
            if (prompt.getInstructions() instanceof TaggedMessages tagged && tagged.call != null) {
                return Conversation.of(tagged.call.run(), tagged.call);
            }
            Conversation sent = known.get(prompt);
            if (sent == null) {
                sent = ofPrompt(prompt.getInstructions());
            }
            if (sent != null) {
                return sent;
            }
        }
        return ofAnswer(response);
    }

    /** The conversation that a prompt with the results of tools at its end goes on with, or null. */
    @Nullable
    Conversation ofPrompt(@Nullable List<Message> messages) {
        for (ToolResponseMessage.ToolResponse result : lastResults(messages)) {
            Conversation conversation = known.get(result);
            if (conversation != null) {
                return conversation;
            }
        }
        return null;
    }

    /** What the Reactor context of the tools on this thread has at {@link #CONTEXT} or {@link #RUN}, or null. */
    static @Nullable Object inContextOfTools(String key) {
        return OF_TOOLS.get(key);
    }

    private @Nullable Conversation ofAnswer(@Nullable ChatResponse response) {
        List<Generation> generations = response == null ? null : response.getResults();
        if (generations != null) {
            for (Generation generation : generations) {
                for (AssistantMessage.ToolCall toolCall : toolCalls(generation)) {
                    Conversation conversation = known.get(toolCall);
                    if (conversation != null) {
                        return conversation;
                    }
                }
            }
        }
        return null;
    }

    private static List<AssistantMessage.ToolCall> toolCalls(@Nullable Generation generation) {
        AssistantMessage message = generation == null ? null : generation.getOutput();
        List<AssistantMessage.ToolCall> calls = message == null ? null : message.getToolCalls();
        return calls == null ? List.of() : calls;
    }

    private static List<ToolResponseMessage.ToolResponse> lastResults(@Nullable List<Message> messages) {
        Message last = messages == null || messages.isEmpty() ? null : messages.get(messages.size() - 1);
        return last instanceof ToolResponseMessage results && results.getResponses() != null
                ? results.getResponses()
                : List.of();
    }

    /** The Reactor context that Spring AI shows to tools since 1.1, reached without linking to it or to Reactor. */
    private record ReactiveContext(
            @Nullable MethodHandle present, @Nullable MethodHandle getOrDefault) {

        static ReactiveContext ofTools() {
            try {
                Class<?> holder = Class.forName(
                        "org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder",
                        true,
                        ChatModel.class.getClassLoader());
                Class<?> view = holder.getMethod("getContext").getReturnType();
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                return new ReactiveContext(
                        lookup.findStatic(holder, "getContext", MethodType.methodType(view))
                                .asType(MethodType.methodType(Object.class)),
                        lookup.findVirtual(
                                        view,
                                        "getOrDefault",
                                        MethodType.methodType(Object.class, Object.class, Object.class))
                                .asType(MethodType.methodType(Object.class, Object.class, String.class, Object.class)));
            } catch (ReflectiveOperationException | LinkageError before) {
                return new ReactiveContext(null, null);
            }
        }

        @Nullable
        Object get(String key) {
            if (present == null || getOrDefault == null) {
                return null;
            }
            try {
                Object context = (Object) present.invokeExact();
                return (Object) getOrDefault.invokeExact(context, key, (Object) null);
            } catch (RuntimeException | Error fault) {
                throw fault;
            } catch (Throwable checked) {
                throw new IllegalStateException("the Reactor context of tools cannot be read", checked);
            }
        }
    }
}
