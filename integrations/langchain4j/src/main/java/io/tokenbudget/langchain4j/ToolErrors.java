package io.tokenbudget.langchain4j;

import io.tokenbudget.core.metering.CallMeter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The application's handlers of tool failures, which LangChain4j has since 1.4. Whatever text one of them makes of a
 * refusal, the refusal stays readable in it, so that it is found before the model is told of it and billed
 * ({@link LangChain4jMeter}).
 *
 * <p>Nothing here links to the types, which 1.0 does not have. Thread-safe. No method throws.
 */
public final class ToolErrors {
    private static final String HANDLER = "dev.langchain4j.service.tool.ToolExecutionErrorHandler";
    private static final Reflected TEXT = Reflected.method("text");

    private final CallMeter meter;

    /** @param meter knows refusals */
    public ToolErrors(CallMeter meter) {
        this.meter = meter;
    }

    /** {@code handler} with refusals left readable in what it answers; the handler itself if it cannot be wrapped. */
    public Object telling(Object handler) {
        try {
            Class<?> type = Class.forName(HANDLER, false, handler.getClass().getClassLoader());
            return type.isInstance(handler)
                    ? Proxy.newProxyInstance(
                            type.getClassLoader(),
                            new Class<?>[] {type},
                            (proxy, method, args) -> Proxies.isOfObject(method)
                                    ? Proxies.ofObject(proxy, method, args, "Telling", handler)
                                    : call(handler, method, args))
                    : handler;
        } catch (Throwable fault) {
            meter.fault("wrapping a handler of tool failures", fault);
            return handler;
        }
    }

    private @Nullable Object call(Object handler, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        Object answer = Proxies.call(handler, method, args);
        Object failure = args == null || args.length == 0 ? null : args[0];
        RuntimeException refusal = failure instanceof Throwable thrown ? meter.refusalAmong(thrown) : null;
        return refusal == null || answer == null ? answer : told(answer, refusal);
    }

    private Object told(Object answer, RuntimeException refusal) {
        String message = refusal.getMessage();
        try {
            if (!(TEXT.get(answer) instanceof String text) || message == null || text.contains(message)) {
                return answer;
            }
            Object told = answer.getClass().getMethod("text", String.class).invoke(null, text + "\n" + message);
            return told == null ? answer : told;
        } catch (Throwable fault) {
            meter.fault("reading what a handler of tool failures answers", fault);
            return answer;
        }
    }
}
