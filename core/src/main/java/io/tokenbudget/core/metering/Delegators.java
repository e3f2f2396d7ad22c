package io.tokenbudget.core.metering;

/**
 * Classes of models that have been seen to hand a call on to another model: routers, decorators, caches. They open no
 * hold of their own, because what they hand on is metered there and what they answer from a cache costs nothing.
 *
 * <p>Thread-safe. Kept with the class itself ({@link ClassValue}), so that nothing here keeps a class loader alive.
 */
final class Delegators {
    private final ClassValue<boolean[]> seen = new ClassValue<>() {
        @Override
        protected boolean[] computeValue(Class<?> type) {
            // A JDK type: an object of ours would tie the application's class to our loader.
            return new boolean[1];
        }
    };

    boolean contains(Object model) {
        return seen.get(model.getClass())[0];
    }

    void add(Object model) {
        seen.get(model.getClass())[0] = true;
    }
}
