package io.tokenbudget.core.config;

/**
 * How output of streamed answers is held.
 *
 * @param reserve how much of it before the stream begins
 * @param chunk tokens that are held at first, and then ahead of what flows, where it is not held in full; positive
 */
public record Streaming(Reserve reserve, int chunk) {
    /** Chunks of 256 tokens where the request sets no maximum, otherwise in full. */
    public static final Streaming DEFAULT = new Streaming(Reserve.AUTO, 256);

    /** How much output is held before a stream begins. */
    public enum Reserve {
        /** A chunk where the request sets no maximum, otherwise the whole of it. */
        AUTO,
        /** A chunk. */
        CHUNKED,
        /** The whole of it. */
        FULL
    }

    /** Whether only a chunk is held at first. */
    public boolean chunked(boolean boundsOutput) {
        return reserve == Reserve.CHUNKED || (reserve == Reserve.AUTO && !boundsOutput);
    }
}
