package io.tokenbudget.core.metering;

/**
 * Classes of models that have only ever answered what another model was charged for: routers, decorators, caches. They open
 * no hold of their own, because what they hand on is metered where it is answered.
 *
 * <p>A class that has answered by itself once is never one of them again, whatever it hands on besides: a model with a cache,
 * or one that leaves easy questions to another, would otherwise be held to no limit. It holds like any other model, and gives
 * the hold up when it hands an answer on.
 *
 * <p>Thread-safe: both marks are only ever set. Kept with the class itself ({@link ClassValue}), so that nothing here keeps a
 * class loader alive.
 */
final class Delegators {
    private static final int HANDED_ON = 0;
    private static final int ANSWERED = 1;

    private final ClassValue<boolean[]> seen = new ClassValue<>() {
        @Override
        protected boolean[] computeValue(Class<?> type) {
            // A JDK type: an object of ours would tie the application's class to our loader.
            return new boolean[2];
        }
    };

    boolean contains(Object model) {
        boolean[] marks = seen.get(model.getClass());
        return marks[HANDED_ON] && !marks[ANSWERED];
    }

    /** An answer of {@code model} was one that another was charged for. */
    void handedOn(Object model) {
        seen.get(model.getClass())[HANDED_ON] = true;
    }

    /** An answer of {@code model} was its own. */
    void answered(Object model) {
        seen.get(model.getClass())[ANSWERED] = true;
    }
}
