package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.springai.SpringAiStreams;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** Around {@code stream(Prompt)} of Spring AI's chat models. */
public final class SpringAiStreamAdvice {
    private static final SpringAiStreams METER = new SpringAiStreams(BridgeLoader.meterFor(SpringAiStreamAdvice.class));

    private SpringAiStreamAdvice() {}

    /** Nothing to do before: a stream begins when it is subscribed to. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter() {
        return null;
    }

    /** Returns the stream that the application gets instead. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToReturned(typing = Assigner.Typing.DYNAMIC)
    public static @Nullable Object exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return @Nullable Flux<ChatResponse> stream,
            @Advice.This Object model,
            @Advice.Argument(0) Prompt prompt) {
        return stream == null ? null : METER.metered(model, prompt, stream);
    }
}
