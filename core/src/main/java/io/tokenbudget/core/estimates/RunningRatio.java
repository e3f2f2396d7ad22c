package io.tokenbudget.core.estimates;

/**
 * What a provider reported for a model's input, in relation to what was estimated without this ratio: so it does not feed on
 * itself.
 *
 * <p>The sums fade, so that it follows a model whose requests change. Against odd answers: it takes five of them before it
 * says anything but one; no answer counts as more than twice off what it says, or with more than 4,096 tokens; and what it says
 * stays between a half and two. Thread-safe: guarded by itself; what it says is one volatile number.
 */
final class RunningRatio {
    private static final int FIRST_OBSERVATIONS = 5;
    private static final double FADE = 31.0 / 32;
    private static final double MOST_OFF = 2;
    private static final int HEAVIEST = 4096;
    private static final double LEAST = 0.5;
    private static final double MOST = 2;

    private double estimated;
    private double actual;
    private int observations;
    private volatile double ratio = 1;

    /** By how much to multiply the next estimate. */
    double get() {
        return ratio;
    }

    /** Both more than zero. */
    synchronized void observe(long estimate, long reported) {
        double weight = (int) Math.min(estimate, HEAVIEST);
        double off = clamp((double) reported / estimate, ratio / MOST_OFF, ratio * MOST_OFF);
        estimated = estimated * FADE + weight;
        actual = actual * FADE + weight * off;
        observations = Math.min(observations + 1, FIRST_OBSERVATIONS);
        if (observations == FIRST_OBSERVATIONS) {
            ratio = clamp(actual / estimated, LEAST, MOST);
        }
    }

    private static double clamp(double value, double least, double most) {
        return Math.max(least, Math.min(most, value));
    }
}
