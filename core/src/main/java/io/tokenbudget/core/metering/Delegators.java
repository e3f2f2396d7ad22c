package io.tokenbudget.core.metering;

/**
 * Classes of models whose last answer was one that another model was charged for: routers, decorators, caches. They open
 * no hold of their own, because what they hand on is metered where it is answered. One that answers by itself after all
 * is charged for it, and holds like any other from then on.
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

    void remove(Object model) {
        seen.get(model.getClass())[0] = false;
    }

    void add(Object model) {
        seen.get(model.getClass())[0] = true;
    }
}
