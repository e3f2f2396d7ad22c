package io.tokenbudget.agent;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Mdc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates the application's current {@code BudgetContext} into ours. Immutable. */
final class ApplicationCaller implements CallerSource {
    private final Mdc mdc;
    private final @Nullable ContextReader reader;

    private ApplicationCaller(@Nullable ContextReader reader, Mdc mdc) {
        this.reader = reader;
        this.mdc = mdc;
    }

    /**
     * @param budgets the application's {@code TokenBudgets}
     * @param mdc the application's
     * @throws ReflectiveOperationException if it is of a version that does not fit
     */
    static ApplicationCaller of(Class<?> budgets, Mdc mdc) throws ReflectiveOperationException {
        return new ApplicationCaller(ContextReader.of(budgets), mdc);
    }

    /** For an application without {@code TokenBudgets}. */
    static ApplicationCaller withoutContext(Mdc mdc) {
        return new ApplicationCaller(null, mdc);
    }

    @Override
    public BudgetContext current() {
        if (reader == null) {
            return BudgetContext.EMPTY;
        }
        try {
            return reader.read();
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("the application's BudgetContext cannot be read", checked);
        }
    }

    @Override
    public @Nullable String mdc(String key) {
        return mdc.get(key);
    }

    @Override
    public boolean dropsMdc() {
        return mdc.isDropped();
    }

    /** The application's methods, seen as methods of {@code Object}. */
    private record ContextReader(
            MethodHandle current, MethodHandle dimensions, MethodHandle plan, MethodHandle idempotencyKey) {

        static ContextReader of(Class<?> budgets) throws ReflectiveOperationException {
            Class<?> context = Class.forName("io.tokenbudget.BudgetContext", false, budgets.getClassLoader());
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            return new ContextReader(
                    lookup.findStatic(budgets, "current", MethodType.methodType(context))
                            .asType(MethodType.methodType(Object.class)),
                    getter(context, "dimensions", Map.class),
                    getter(context, "plan", String.class),
                    getter(context, "idempotencyKey", String.class));
        }

        private static MethodHandle getter(Class<?> context, String name, Class<?> type)
                throws ReflectiveOperationException {
            return MethodHandles.publicLookup()
                    .findVirtual(context, name, MethodType.methodType(type))
                    .asType(MethodType.methodType(type, Object.class));
        }

        BudgetContext read() throws Throwable {
            Object theirs = (Object) current.invokeExact();
            Map<?, ?> named = (Map<?, ?>) (Map) dimensions.invokeExact(theirs);
            String itsPlan = (String) plan.invokeExact(theirs);
            String itsKey = (String) idempotencyKey.invokeExact(theirs);
            if (named.isEmpty() && itsPlan == null && itsKey == null) {
                return BudgetContext.EMPTY;
            }
            BudgetContext.Builder ours = BudgetContext.builder();
            named.forEach((name, value) -> ours.dimension((String) name, (String) value));
            if (itsPlan != null) {
                ours.plan(itsPlan);
            }
            if (itsKey != null) {
                ours.idempotencyKey(itsKey);
            }
            return ours.build();
        }
    }
}
