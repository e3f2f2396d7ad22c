package io.tokenbudget.langchain4j;

/**
 * Callers of streaming models that wait for a complete response and go on waiting when they are told of an error. They are
 * thrown a refusal instead.
 *
 * <p>In LangChain4j that is what asks again after an output guardrail, where the service has a streaming model only.
 */
final class WaitingCallers {
    private static final String GUARDRAIL = "dev.langchain4j.guardrail.StreamingToSynchronousChatExecutor";

    /** Between it and the model there are the model's own methods, and those of decorators. */
    private static final int FRAMES = 32;

    private WaitingCallers() {}

    static boolean onThisStack() {
        return StackWalker.getInstance()
                .walk(frames -> frames.limit(FRAMES)
                        .anyMatch(frame -> frame.getClassName().equals(GUARDRAIL)));
    }
}
