package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Price;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What models cost.
 *
 * @param models by glob on the model name; of several that match the one that says more counts, then the first
 * @param unknown what limits in money do about a model that none matches
 */
public record Prices(Map<String, Price> models, Unknown unknown) {
    /** Nobody has said what anything costs. */
    public static final Prices NONE = new Prices(Map.of(), Unknown.REFUSE);

    /** What limits in money do about a call whose price is not known. */
    public enum Unknown {
        /** They refuse it. */
        REFUSE,
        /** They count nothing for it. */
        IGNORE
    }

    /** What calls of {@code model} cost, null for a call that names none; null if they cost nothing. */
    public @Nullable Price of(@Nullable String model) {
        String best = null;
        for (String glob : models.keySet()) {
            if (Glob.matches(glob, model == null ? "" : model) && (best == null || says(glob) > says(best))) {
                best = glob;
            }
        }
        if (best != null) {
            return models.get(best);
        }
        return unknown == Unknown.REFUSE ? Price.unknown(model) : null;
    }

    /** A name says more than a glob, and of globs the one with more characters. */
    private static int says(String glob) {
        return Glob.isGlob(glob) ? glob.replace("*", "").length() : Integer.MAX_VALUE;
    }
}
