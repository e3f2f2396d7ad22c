package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.springai.SpringAiMeter;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;

/** Around {@code call(Prompt)} of Spring AI's chat models. */
public final class SpringAiChatAdvice {
    private static final SpringAiMeter METER = new SpringAiMeter(BridgeLoader.meterFor(SpringAiChatAdvice.class));

    private SpringAiChatAdvice() {}

    /** Returns the open frame, or the refusal: then the model is not called. */
    @Advice.OnMethodEnter(inline = false, suppress = Throwable.class, skipOn = Throwable.class)
    public static Object enter(@Advice.This Object model, @Advice.Argument(0) Prompt prompt) {
        Frame frame = METER.open(model, prompt);
        RuntimeException refusal = frame.refusal();
        return refusal == null ? frame : refusal;
    }

    /** Returns what to throw, or null to leave the outcome as it is. */
    @Advice.OnMethodExit(inline = false, suppress = Throwable.class, onThrowable = Throwable.class)
    @Advice.AssignReturned.ToThrown
    public static @Nullable Throwable exit(
            @Advice.Enter @Nullable Object entered,
            @Advice.Return @Nullable ChatResponse response,
            @Advice.Thrown @Nullable Throwable thrown) {
        if (entered instanceof Frame frame) {
            METER.close(frame, response, thrown);
            return null;
        }
        return entered instanceof Throwable refusal ? refusal : null;
    }
}
