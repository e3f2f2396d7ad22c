package io.tokenbudget.agent.advice;

import io.tokenbudget.agent.BridgeLoader;
import io.tokenbudget.springai.ClientCalls;
import io.tokenbudget.springai.SpringAiStreams;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Around {@code nextStream} of the advisor chains of Spring AI's clients: the outermost is the run that all calls inside belong to. */
public final class SpringAiClientStreamAdvice {
    private static final SpringAiStreams METER =
            new SpringAiStreams(BridgeLoader.meterFor(SpringAiClientStreamAdvice.class));

    private SpringAiClientStreamAdvice() {}

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
            @Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) @Nullable Object request) {
        return stream == null ? null : METER.ofClient(stream, ClientCalls.of(request));
    }
}
