package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.springai.SpringAiStreams;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** Around the method with which the chat models of Spring AI 1.x begin each round of a streamed tool loop. */
public final class SpringAiRoundAdvice {
    private static final SpringAiStreams METER = new SpringAiStreams(BridgeLoader.meterFor(SpringAiRoundAdvice.class));

    private SpringAiRoundAdvice() {}

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
            @Advice.Return @Nullable Flux<ChatResponse> round,
            @Advice.Argument(0) Prompt prompt) {
        return round == null ? null : METER.round(prompt, round);
    }
}
