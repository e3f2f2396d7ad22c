package io.tokenbudget.agent;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.CallerSource;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application's {@code BudgetContext}, which is another class than ours, read and written by its own methods. Immutable.
 *
 * <p>A version of it that keeps no run is told of none: what it takes to other threads is then who calls, and no more.
 */
final class ApplicationContexts {
    private static final MethodHandles.Lookup PUBLIC = MethodHandles.publicLookup();

    private final Class<?> type;
    private final MethodHandle current;
    private final MethodHandle open;
    private final MethodHandle dimensions;
    private final MethodHandle plan;
    private final MethodHandle idempotencyKey;
    private final MethodHandle builder;
    private final MethodHandle withDimension;
    private final MethodHandle withPlan;
    private final MethodHandle withIdempotencyKey;
    private final MethodHandle build;

    /** Null where the application's class is of a version that has no such method. */
    private final @Nullable MethodHandle run;

    private final @Nullable MethodHandle withRun;
    private final @Nullable MethodHandle request;
    private final @Nullable MethodHandle withRequest;

    private ApplicationContexts(Class<?> budgets, Class<?> type, Class<?> builderType, Class<?> scope)
            throws ReflectiveOperationException {
        this.type = type;
        current = PUBLIC.findStatic(budgets, "current", MethodType.methodType(type))
                .asType(MethodType.methodType(Object.class));
        open = opener(budgets, MethodType.methodType(scope, type))
                .asType(MethodType.methodType(AutoCloseable.class, Object.class));
        dimensions = getter("dimensions", Map.class);
        plan = getter("plan", String.class);
        idempotencyKey = getter("idempotencyKey", String.class);
        builder = PUBLIC.findStatic(type, "builder", MethodType.methodType(builderType))
                .asType(MethodType.methodType(Object.class));
        withDimension = PUBLIC.findVirtual(
                        builderType, "dimension", MethodType.methodType(builderType, String.class, String.class))
                .asType(MethodType.methodType(Object.class, Object.class, String.class, String.class));
        withPlan = setter(builderType, "plan", String.class);
        withIdempotencyKey = setter(builderType, "idempotencyKey", String.class);
        build = PUBLIC.findVirtual(builderType, "build", MethodType.methodType(type))
                .asType(MethodType.methodType(Object.class, Object.class));
        run = getterIfAny("run");
        withRun = setterIfAny(builderType, "run");
        request = getterIfAny("request");
        withRequest = setterIfAny(builderType, "request");
    }

    /**
     * @param budgets the application's {@code TokenBudgets}
     * @throws ReflectiveOperationException if it is of a version that does not fit
     */
    static ApplicationContexts of(Class<?> budgets) throws ReflectiveOperationException {
        ClassLoader loader = budgets.getClassLoader();
        return new ApplicationContexts(
                budgets,
                Class.forName("io.tokenbudget.BudgetContext", false, loader),
                Class.forName("io.tokenbudget.BudgetContext$Builder", false, loader),
                Class.forName("io.tokenbudget.TokenBudgets$Scope", false, loader));
    }

    private @Nullable MethodHandle getterIfAny(String name) throws IllegalAccessException {
        try {
            return PUBLIC.findVirtual(type, name, MethodType.methodType(Object.class))
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (NoSuchMethodException ofAnEarlierVersion) {
            return null;
        }
    }

    private static @Nullable MethodHandle setterIfAny(Class<?> builderType, String name) throws IllegalAccessException {
        try {
            return PUBLIC.findVirtual(builderType, name, MethodType.methodType(builderType, Object.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Object.class));
        } catch (NoSuchMethodException ofAnEarlierVersion) {
            return null;
        }
    }

    private MethodHandle getter(String name, Class<?> returned) throws ReflectiveOperationException {
        return PUBLIC.findVirtual(type, name, MethodType.methodType(returned))
                .asType(MethodType.methodType(returned, Object.class));
    }

    /** In place of what is open; inside of it where the application's class is of a version that has no such method. */
    private static MethodHandle opener(Class<?> budgets, MethodType taken) throws ReflectiveOperationException {
        try {
            return PUBLIC.findStatic(budgets, "openInstead", taken);
        } catch (NoSuchMethodException ofAnEarlierVersion) {
            return PUBLIC.findStatic(budgets, "open", taken);
        }
    }

    private static MethodHandle setter(Class<?> builderType, String name, Class<?> taken)
            throws ReflectiveOperationException {
        return PUBLIC.findVirtual(builderType, name, MethodType.methodType(builderType, taken))
                .asType(MethodType.methodType(Object.class, Object.class, taken));
    }

    /** What the application has open on this thread. */
    BudgetContext current() {
        try {
            return translate((Object) current.invokeExact());
        } catch (Throwable thrown) {
            throw unreadable(thrown);
        }
    }

    /** {@code carried} as ours, or null if it is no context of the application. */
    @Nullable
    BudgetContext read(Object carried) {
        try {
            return type.isInstance(carried) ? translate(carried) : null;
        } catch (Throwable thrown) {
            throw unreadable(thrown);
        }
    }

    private BudgetContext translate(Object theirs) throws Throwable {
        Map<?, ?> named = (Map<?, ?>) (Map) dimensions.invokeExact(theirs);
        String itsPlan = (String) plan.invokeExact(theirs);
        String itsKey = (String) idempotencyKey.invokeExact(theirs);
        Object itsRun = run == null ? null : (Object) run.invokeExact(theirs);
        Object itsRequest = request == null ? null : (Object) request.invokeExact(theirs);
        if (named.isEmpty() && itsPlan == null && itsKey == null && itsRun == null && itsRequest == null) {
            return BudgetContext.EMPTY;
        }
        BudgetContext.Builder ours = BudgetContext.builder().run(itsRun).request(itsRequest);
        named.forEach((name, value) -> ours.dimension((String) name, (String) value));
        if (itsPlan != null) {
            ours.plan(itsPlan);
        }
        if (itsKey != null) {
            ours.idempotencyKey(itsKey);
        }
        return ours.build();
    }

    /** {@code context} as the application's own. */
    Object write(BudgetContext context) {
        try {
            return theirs(context);
        } catch (Throwable thrown) {
            throw unreadable(thrown);
        }
    }

    /** Opens {@code context} on this thread for the application. */
    CallerSource.Scope open(BudgetContext context) {
        try {
            AutoCloseable opened = (AutoCloseable) open.invokeExact(theirs(context));
            return () -> close(opened);
        } catch (Throwable thrown) {
            throw unreadable(thrown);
        }
    }

    private static void close(AutoCloseable opened) {
        try {
            opened.close();
        } catch (Exception thrown) {
            throw unreadable(thrown);
        }
    }

    private Object theirs(BudgetContext ours) throws Throwable {
        Object building = (Object) builder.invokeExact();
        for (Map.Entry<String, String> dimension : ours.dimensions().entrySet()) {
            building = (Object) withDimension.invokeExact(building, dimension.getKey(), dimension.getValue());
        }
        String itsPlan = ours.plan();
        if (itsPlan != null) {
            building = (Object) withPlan.invokeExact(building, itsPlan);
        }
        String itsKey = ours.idempotencyKey();
        if (itsKey != null) {
            building = (Object) withIdempotencyKey.invokeExact(building, itsKey);
        }
        Object itsRun = ours.run();
        if (itsRun != null && withRun != null) {
            building = (Object) withRun.invokeExact(building, itsRun);
        }
        Object itsRequest = ours.request();
        if (itsRequest != null && withRequest != null) {
            building = (Object) withRequest.invokeExact(building, itsRequest);
        }
        return (Object) build.invokeExact(building);
    }

    private static RuntimeException unreadable(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException("the application's BudgetContext cannot be read", thrown);
    }
}
