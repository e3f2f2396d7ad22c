package io.tokenbudget.core.metering;

import io.tokenbudget.Usage;
import java.util.ArrayList;
import java.util.List;

/**
 * What was booked for the same model object inside of one call of it, by a subclass that asks its super class or a method
 * that asks another one. Thread-safe: guarded by itself.
 */
final class InnerUsage {
    /** A model that asks itself more often than this is told by the sum. */
    private static final int MOST = 64;

    private final List<Sum> parts = new ArrayList<>();
    private Sum all = new Sum(0, 0, 0);

    /** What was booked for one or more calls. */
    private record Sum(long input, long cached, long output) {
        Sum plus(Sum other) {
            return new Sum(input + other.input, cached + other.cached, output + other.output);
        }

        /**
         * Whether {@code outer} says the same, but for what a new object of the framework does not repeat: input that went
         * through a cache and that some providers count beside it, and output that only their total tells.
         */
        boolean is(Usage outer) {
            return input - cached <= outer.inputTokens()
                    && outer.inputTokens() <= input
                    && outer.outputTokens() <= output;
        }
    }

    synchronized void add(Usage booked) {
        Sum part = new Sum(
                booked.inputTokens(), booked.cachedInputTokens() + booked.cacheWriteTokens(), booked.outputTokens());
        if (parts.size() < MOST) {
            parts.add(part);
        }
        all = all.plus(part);
    }

    /** Whether {@code outer} is what one of the inner calls used, or all of them together. */
    synchronized boolean accountsFor(Usage outer) {
        return all.is(outer) || parts.stream().anyMatch(part -> part.is(outer));
    }
}
