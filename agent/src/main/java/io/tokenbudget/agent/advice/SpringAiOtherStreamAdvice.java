package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.agent.Kind;
import io.tokenbudget.core.metering.CallKind;
import io.tokenbudget.springai.SpringAiStreams;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Around what Spring AI's models stream that is no chat: speech, transcription. */
public final class SpringAiOtherStreamAdvice {
    private static final SpringAiStreams METER =
            new SpringAiStreams(BridgeLoader.meterFor(SpringAiOtherStreamAdvice.class));

    private SpringAiOtherStreamAdvice() {}

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
            @Advice.Return @Nullable Flux<?> stream,
            @Advice.This Object model,
            @Advice.AllArguments @Nullable Object[] arguments,
            @Kind String kind) {
        return stream == null
                ? null
                : METER.other(model, CallKind.in(kind), arguments.length == 0 ? null : arguments[0], stream);
    }
}
