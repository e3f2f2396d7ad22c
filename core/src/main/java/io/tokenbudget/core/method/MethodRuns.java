package io.tokenbudget.core.method;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.core.metering.RunTerms;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes each call of a {@link BudgetedMethod} a run, or a part of the run around it: what every adapter brings its calls to.
 *
 * <p>A fault of ours leaves the method's calls to the run around it. A refusal is thrown by the model call inside, or
 * answered by the fallback. Thread-safe.
 */
public final class MethodRuns {
    private static final Object NOTHING = new Object();

    private final CallMeter meter;
    private final List<LaterResult> laterResults;
    private final MethodTable methods = new MethodTable();

    /** The body of a method. */
    @FunctionalInterface
    public interface Body {
        /** @throws Throwable what the body throws */
        @Nullable
        Object proceed() throws Throwable;
    }

    /**
     * @param meter books the calls inside
     * @param laterResults kinds of results that work goes on in, beside the JDK's stages
     */
    public MethodRuns(CallMeter meter, List<? extends LaterResult> laterResults) {
        this.meter = meter;
        List<LaterResult> all = new ArrayList<>(laterResults);
        all.add(new LaterStages());
        this.laterResults = List.copyOf(all);
    }

    /**
     * With every kind of later result that is on the class path: each integration names its own as a service.
     *
     * @param meter books the calls inside
     * @param loader of the application
     */
    public static MethodRuns of(CallMeter meter, @Nullable ClassLoader loader) {
        List<LaterResult> found = new ArrayList<>();
        Iterator<LaterResult> services =
                ServiceLoader.load(LaterResult.class, loader).iterator();
        boolean more = true;
        while (more) {
            try {
                more = services.hasNext();
                LaterResult next = more ? services.next() : null;
                if (next != null && isUsable(next)) {
                    found.add(next);
                }
            } catch (ServiceConfigurationError | LinkageError misfit) {
                meter.fault("getting ready for what methods with @TokenBudget return", misfit);
            }
        }
        return new MethodRuns(meter, found);
    }

    private static boolean isUsable(LaterResult kind) {
        try {
            return !kind.isOf(NOTHING);
        } catch (NoClassDefFoundError itsFrameworkIsAbsent) {
            return false;
        }
    }

    /** Finds a method by what an adapter knows of it. */
    @FunctionalInterface
    public interface Search {
        /**
         * @return not a bridge
         * @throws ReflectiveOperationException if there is none
         */
        Method find() throws ReflectiveOperationException;
    }

    /**
     * Calls a method that may have an annotation, of its own or from above; one that has none is called as it is.
     *
     * @param target null for a static method
     * @throws InvalidTokenBudgetException if the annotation cannot mean what is written
     * @throws Throwable what the body throws, or the fallback
     */
    public @Nullable Object call(Method called, @Nullable Object target, @Nullable Object[] arguments, Body body)
            throws Throwable {
        BudgetedMethod method = find(called, target == null ? called.getDeclaringClass() : target.getClass());
        return method == null ? body.proceed() : call(method, target, arguments, body);
    }

    /**
     * What {@code called} is by the annotation that it has, of its own or from above. Each method is looked at once for each
     * class that it is called on.
     *
     * @param target the class of the object it is called on; its declaring class for a static one
     * @return null if nothing there has the annotation, or if it could not be looked at
     * @throws InvalidTokenBudgetException if the annotation cannot mean what is written
     */
    public @Nullable BudgetedMethod find(Method called, Class<?> target) {
        return find(called, target, () -> called);
    }

    /**
     * The same for a method that is named by {@code key}.
     *
     * @param key equal for the same method of the same class
     * @param search called once, unless two threads meet there
     */
    public @Nullable BudgetedMethod find(Object key, Class<?> target, Search search) {
        return methods.get(key, target, () -> {
            try {
                Method method = search.find();
                Annotations.Found found = Annotations.find(method, target);
                return found == null ? null : BudgetedMethod.of(method, target, found, meter.zone());
            } catch (InvalidTokenBudgetException wrongUse) {
                throw wrongUse;
            } catch (Throwable fault) {
                meter.fault("finding @TokenBudget of " + key, fault);
                return null;
            }
        });
    }

    /**
     * Calls the method.
     *
     * @param target null for a static method
     * @throws InvalidTokenBudgetException if the annotation refers to what an argument turns out not to have
     * @throws Throwable what the body throws, or the fallback
     */
    public @Nullable Object call(
            BudgetedMethod method, @Nullable Object target, @Nullable Object[] arguments, Body body) throws Throwable {
        MethodCall call = enter(method, target, arguments);
        if (call == null) {
            return body.proceed();
        }
        if (call.refusal() != null) {
            return call.refused();
        }
        Object returned;
        try {
            returned = body.proceed();
        } catch (Throwable thrown) {
            return call.exit(null, thrown);
        }
        return call.exit(returned, null);
    }

    /**
     * For those that cannot wrap the body: what is returned is to be {@linkplain MethodCall#exit exited} on this thread,
     * whatever the method does. One that has a {@link MethodCall#refusal} is not to be called, and {@link MethodCall#refused} takes the place of its exit.
     *
     * @param target null for a static method
     * @return null if there is nothing to do, because the annotation is that of a type which calls itself
     * @throws InvalidTokenBudgetException if the annotation refers to what an argument turns out not to have
     */
    public @Nullable MethodCall enter(BudgetedMethod method, @Nullable Object target, @Nullable Object[] arguments) {
        return enter(method, target, arguments, source -> null);
    }

    /**
     * The same for a method whose arguments say who is calling by themselves.
     *
     * @param call as of {@link CallMeter#openRun(Function)}; the annotation comes before it
     */
    public @Nullable MethodCall enter(
            BudgetedMethod method,
            @Nullable Object target,
            @Nullable Object[] arguments,
            Function<IdentitySource, @Nullable String> call) {
        if (method.isOfType() && isOfItself(method, target)) {
            return null;
        }
        RunTerms terms = new RunTerms(
                method.context(arguments, meter::fault),
                method.ceilings(),
                method.limited(),
                method.limits(),
                method.method().toString(),
                target == null ? method.method().declaring() : target);
        MethodCall entered = new MethodCall(this, method, target, arguments, terms, call, method.fallback(), false);
        if (!beginsLater(method.method().returnType())) {
            entered.holdUpFront();
        }
        return entered;
    }

    /** Whether an annotated method of the same object calls; for a static one: of its class, or of one below or above. */
    @SuppressWarnings("ReferenceEquality") // the object itself
    private boolean isOfItself(BudgetedMethod called, @Nullable Object target) {
        Run run = meter.currentRun();
        Object calling = run == null ? null : run.begunBy();
        if (calling == null || target != null) {
            return calling != null && calling == target;
        }
        Class<?> callingType = calling instanceof Class<?> itself ? itself : calling.getClass();
        Class<?> type = called.method().declaring();
        return callingType.isAssignableFrom(type) || type.isAssignableFrom(callingType);
    }

    private boolean beginsLater(Class<?> returnType) {
        try {
            return laterResults.stream().anyMatch(kind -> kind.beginsLater(returnType));
        } catch (Throwable fault) {
            meter.fault("looking at what a method returns", fault);
            return false;
        }
    }

    CallMeter meter() {
        return meter;
    }

    @Nullable
    Object goesOn(@Nullable Object returned, MethodCall call) {
        try {
            LaterResult kind = returned == null ? null : kindOf(returned);
            if (returned != null && kind != null) {
                return kind.goesOn(returned, call);
            }
        } catch (Throwable fault) {
            meter.fault("following what a method has begun", fault);
        }
        call.upFront().end();
        return returned;
    }

    private @Nullable LaterResult kindOf(Object returned) {
        for (LaterResult kind : laterResults) {
            if (kind.isOf(returned)) {
                return kind;
            }
        }
        return null;
    }
}
