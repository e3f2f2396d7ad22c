package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.Frame;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;

/**
 * What is kept with one call between its rounds.
 *
 * <p>The models of Spring AI 1.x run tools inside the call and report, with every answer, the sum over all rounds so far.
 * Not thread-safe: owned by the thread of its frame.
 */
final class CallState {
    /** Models that report each round alone although they run tools inside the call. */
    private static final Set<String> REPORT_EACH_ROUND_ALONE = Set.of(
            "org.springframework.ai.zhipuai.ZhiPuAiChatModel", "org.springframework.ai.minimax.MiniMaxChatModel");

    /** How a model reports the rounds of a tool loop inside it. */
    enum Reporting {
        /** With each answer the sum over all rounds so far. */
        SUM_OF_ROUNDS,
        ROUND_ALONE,
        /** Taken for sums as long as they grow. */
        UNKNOWN;

        static Reporting of(Object model) {
            String type = model.getClass().getName();
            if (REPORT_EACH_ROUND_ALONE.contains(type)) {
                return ROUND_ALONE;
            }
            return isOfSpringAi(model) ? SUM_OF_ROUNDS : UNKNOWN;
        }
    }

    final Object model;

    /** An enclosing call that counts as running tools for the time of this one. */
    final @Nullable Frame tooling;

    final Observed observed = new Observed();

    /** Options of the present round's prompt. */
    @Nullable
    ChatOptions options;

    private boolean cumulative;
    private Counts settled = Counts.NONE;
    private org.springframework.ai.chat.metadata.@Nullable Usage lastReported;

    CallState(Object model, @Nullable ChatOptions options, @Nullable Frame tooling) {
        this.model = model;
        this.options = options;
        this.tooling = tooling;
        this.cumulative = Reporting.of(model) != Reporting.ROUND_ALONE;
    }

    static @Nullable CallState of(@Nullable Frame frame) {
        return frame != null && frame.attachment() instanceof CallState state ? state : null;
    }

    /** Whether this is a model of Spring AI itself. None of them hands a call on to another model. */
    boolean isOfSpringAi() {
        return isOfSpringAi(model);
    }

    /** Whether {@code model} is one of Spring AI itself. None of them hands a call on to another model. */
    static boolean isOfSpringAi(Object model) {
        return model.getClass().getName().startsWith("org.springframework.ai.");
    }

    /** The usage of the present round, or null if the provider reported none; asked once for each answer. */
    @Nullable
    Usage round(@Nullable ChatResponse response) {
        ChatResponseMetadata metadata = response == null ? null : response.getMetadata();
        org.springframework.ai.chat.metadata.Usage reported = metadata == null ? null : metadata.getUsage();
        Counts now = Counts.of(reported);
        // 1.x hands the sum of the earlier rounds on as it is where a round has no usage of its own.
        if (reported == null || now.isEmpty() || reported == lastReported) {
            return null;
        }
        lastReported = reported;
        Counts round = cumulative ? now.since(settled) : null;
        cumulative = round != null;
        settled = now;
        return NativeUsage.translate(round == null ? now : round, reported, metadata);
    }
}
