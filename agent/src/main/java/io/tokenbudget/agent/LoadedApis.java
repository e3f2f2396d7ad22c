package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code token-budget-annotations} of the applications of this JVM, wherever they were loaded. A framework may live in a
 * loader that does not see those of the application which calls it; what that has opened is on the thread all the same.
 *
 * <p>Keeps none of their loaders alive: what is made of a class is kept by that class. Thread-safe.
 */
final class LoadedApis {
    private static final String BUDGETS = "io.tokenbudget.TokenBudgets";
    private static final String INTERNAL_NAME = BUDGETS.replace('.', '/');

    private final Notices notices;
    private volatile List<Place> places = List.of();

    private final ClassValue<Made> apis = new ClassValue<>() {
        @Override
        protected Made computeValue(Class<?> budgets) {
            return new Made(make(budgets));
        }
    };

    /** @param api null if it is of a version that does not fit */
    private record Made(@Nullable AnnotationsApi api) {}

    /** Where one was loaded. */
    private static final class Place {
        final WeakReference<ClassLoader> loader;
        volatile @Nullable WeakReference<Class<?>> budgets;

        Place(ClassLoader loader) {
            this.loader = new WeakReference<>(loader);
        }
    }

    LoadedApis(Notices notices) {
        this.notices = notices;
    }

    /** Whether a class of this name, with slashes, is one of those that {@link #loaded} is to be told of. */
    static boolean has(String internalName) {
        return internalName.equals(INTERNAL_NAME);
    }

    /** {@code loader} defines one. Called while its class is loaded: loads nothing. */
    synchronized void loaded(ClassLoader loader) {
        List<Place> present = new ArrayList<>();
        for (Place place : places) {
            ClassLoader known = place.loader.get();
            if (known == loader) {
                return;
            }
            if (known != null) {
                present.add(place);
            }
        }
        present.add(new Place(loader));
        places = List.copyOf(present);
    }

    /** Those that were loaded before there was anybody to tell. */
    void among(Class<?>[] classes) {
        for (Class<?> type : classes) {
            ClassLoader loader = type.getClassLoader();
            if (loader != null && type.getName().equals(BUDGETS) && !Ignored.hasNoModels(loader)) {
                loaded(loader);
            }
        }
    }

    /** The one that {@code loader} sees; null if it sees none, or one that does not fit. */
    @Nullable
    AnnotationsApi seenBy(ClassLoader loader) {
        try {
            return apis.get(Class.forName(BUDGETS, false, loader)).api();
        } catch (ClassNotFoundException withoutAnnotations) {
            return null;
        } catch (LinkageError mismatch) {
            doesNotFit(mismatch);
            return null;
        }
    }

    /** The one of which a context is open on this thread, or null. */
    @Nullable
    AnnotationsApi openHere() {
        List<Place> all = places;
        for (int i = 0; i < all.size(); i++) {
            AnnotationsApi api = at(all.get(i));
            if (api != null && api.isOpenHere()) {
                return api;
            }
        }
        return null;
    }

    /** The one whose context {@code carried} is, or null. */
    @Nullable
    AnnotationsApi ofContext(Object carried) {
        for (Place place : places) {
            AnnotationsApi api = at(place);
            if (api != null && api.contexts().read(carried) != null) {
                return api;
            }
        }
        return null;
    }

    /** The one that this thread's context loader sees; else the only one there is, or null. */
    @Nullable
    AnnotationsApi ofThread() {
        List<Place> all = places;
        ClassLoader loader = all.isEmpty() ? null : Thread.currentThread().getContextClassLoader();
        while (loader != null) {
            for (Place place : all) {
                if (place.loader.get() == loader) {
                    return at(place);
                }
            }
            loader = loader.getParent();
        }
        return all.size() == 1 ? at(all.get(0)) : null;
    }

    private @Nullable AnnotationsApi at(Place place) {
        WeakReference<Class<?>> known = place.budgets;
        Class<?> budgets = known == null ? null : known.get();
        if (budgets != null) {
            return apis.get(budgets).api();
        }
        ClassLoader loader = place.loader.get();
        AnnotationsApi api = loader == null ? null : seenBy(loader);
        if (api != null) {
            place.budgets = new WeakReference<>(api.budgets());
        }
        return api;
    }

    private @Nullable AnnotationsApi make(Class<?> budgets) {
        try {
            return AnnotationsApi.of(budgets);
        } catch (ReflectiveOperationException | LinkageError mismatch) {
            doesNotFit(mismatch);
            return null;
        }
    }

    private void doesNotFit(Throwable mismatch) {
        notices.warn("token-budget-annotations of the application does not fit this agent, its BudgetContext is not"
                + " read and refusals are thrown as the agent's own class: " + mismatch);
    }
}
