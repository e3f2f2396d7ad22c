package io.tokenbudget.springai;

import io.tokenbudget.Usage;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatResponse;

/**
 * Finds the usage of the present round in the chunks of one stream. The largest of a round counts, never a sum: providers
 * repeat usage, let it grow from chunk to chunk or report it once, and the models of Spring AI 1.x add what the earlier
 * rounds of a tool loop have used. Not thread-safe.
 */
final class StreamedUsage {
    private final CallState.Reporting reporting;
    private Counts before = Counts.NONE;
    private Counts latest = Counts.NONE;
    private org.springframework.ai.chat.metadata.@Nullable Usage carrier;
    private @Nullable Usage largest;

    StreamedUsage(CallState.Reporting reporting) {
        this.reporting = reporting;
    }

    /** The usage of the present round so far, if {@code chunk} says more about it than the ones before; otherwise null. */
    @Nullable
    Usage read(@Nullable ChatResponse chunk) {
        ChatResponseMetadata metadata = chunk == null ? null : chunk.getMetadata();
        org.springframework.ai.chat.metadata.Usage reported = metadata == null ? null : metadata.getUsage();
        Counts now = Counts.of(reported);
        if (reported == null || reported == carrier || now.isEmpty()) {
            return null;
        }
        Counts round = ofRound(now);
        if (round == null) {
            return null;
        }
        Usage usage = NativeUsage.translate(round, reported, metadata);
        if (largest != null && usage.total() < largest.total()) {
            return null;
        }
        boolean grew = largest == null || usage.total() > largest.total();
        carrier = reported;
        latest = now;
        largest = usage;
        return grew ? usage : null;
    }

    private @Nullable Counts ofRound(Counts now) {
        Counts round = now.since(before);
        return switch (reporting) {
            case SUM_OF_ROUNDS -> round;
            case ROUND_ALONE -> now;
            // A sum only grows; the same once more is what a chunk without usage of its own hands on.
            case UNKNOWN -> round != null || now.equals(before) ? round : now;
        };
    }

    /** The largest usage of the present round, or null. */
    @Nullable
    Usage largest() {
        return largest;
    }

    /** The object that carried it. */
    @Nullable
    Object carrier() {
        return largest == null ? null : carrier;
    }

    /** What comes is of the next round. */
    void nextRound() {
        if (latest.total() > before.total()) {
            before = latest;
        }
        largest = null;
    }
}
