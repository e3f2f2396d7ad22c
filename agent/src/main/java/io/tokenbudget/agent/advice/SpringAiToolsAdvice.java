package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.springai.SpringAiMeter;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;

/** Around {@code executeToolCalls(Prompt, ChatResponse)} of Spring AI's tool calling managers, the end of a round. */
public final class SpringAiToolsAdvice {
    private static final SpringAiMeter METER = new SpringAiMeter(BridgeLoader.meterFor(SpringAiToolsAdvice.class));

    private SpringAiToolsAdvice() {}

    /** Returns what belongs to the tools that run now, or null. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class)
    public static @Nullable Object enter(@Advice.Argument(0) Prompt prompt, @Advice.Argument(1) ChatResponse response) {
        return METER.openTools(prompt, response);
    }

    /** Returns what to throw instead of the next round, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return @Nullable Object result,
            @Advice.Thrown @Nullable Throwable thrown) {
        return METER.closeTools(entered, result, thrown);
    }
}
