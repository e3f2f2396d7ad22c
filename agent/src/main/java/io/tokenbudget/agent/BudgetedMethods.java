package io.tokenbudget.agent;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.method.BudgetedMethod;
import io.tokenbudget.core.method.InvalidTokenBudgetException;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodCall;
import io.tokenbudget.core.method.MethodRuns;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The methods with {@code @TokenBudget} that are called in one application loader: what is woven into them brings their calls
 * here. Thread-safe.
 */
public final class BudgetedMethods {
    private static final Object[] NO_ARGUMENTS = {};

    /** What the application has, and what knows it. */
    private static final Map<String, String> LATER_RESULTS = Map.of(
            "dev.langchain4j.service.TokenStream", "io.tokenbudget.langchain4j.TokenStreams",
            "reactor.core.publisher.Flux", "io.tokenbudget.reactor.ReactorResults");

    private final MethodRuns runs;
    private final CallMeter meter;
    private final ClassLoader application;

    /** The classes of static methods, by the origin as the advice writes it. */
    private final Map<String, Class<?>> ofStatics = new ConcurrentHashMap<>();

    private BudgetedMethods(CallMeter meter, ClassLoader application, List<LaterResult> laterResults) {
        this.meter = meter;
        this.application = application;
        this.runs = new MethodRuns(meter, laterResults);
    }

    /** @param advice a class defined by a bridge loader */
    public static BudgetedMethods of(Class<?> advice) {
        BridgeLoader bridge = (BridgeLoader) advice.getClassLoader();
        CallMeter meter = BridgeLoader.meterFor(advice);
        List<LaterResult> laterResults = new ArrayList<>();
        LATER_RESULTS.forEach((type, integration) -> {
            LaterResult made = isThere(type, bridge) ? made(integration, bridge, meter) : null;
            if (made != null) {
                laterResults.add(made);
            }
        });
        followReactor(bridge, meter);
        return new BudgetedMethods(meter, bridge.application(), laterResults);
    }

    /** Only where Reactor is the application's own: its hooks are static, and must not keep an application that has gone. */
    private static void followReactor(BridgeLoader bridge, CallMeter meter) {
        try {
            Class<?> schedulers = Class.forName("reactor.core.scheduler.Schedulers", false, bridge);
            if (schedulers.getClassLoader() == bridge.application()) {
                Class.forName("io.tokenbudget.reactor.ReactorSchedulers", true, bridge)
                        .getMethod("follow", CallMeter.class)
                        .invoke(null, meter);
            }
        } catch (ClassNotFoundException withoutReactor) {
            // then nothing is scheduled there
        } catch (ReflectiveOperationException | LinkageError misfit) {
            meter.fault("following Reactor's schedulers", misfit);
        }
    }

    private static boolean isThere(String type, ClassLoader bridge) {
        try {
            Class.forName(type, false, bridge);
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    private static @Nullable LaterResult made(String integration, ClassLoader bridge, CallMeter meter) {
        try {
            return Class.forName(integration, true, bridge)
                    .asSubclass(LaterResult.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError misfit) {
            meter.fault("getting ready for what methods with @TokenBudget return", misfit);
            return null;
        }
    }

    /**
     * Enters a method that is woven.
     *
     * @param origin its type, name and descriptor, with bars between
     * @param target null for a static method
     * @return the call to {@linkplain #exit exit}; what to throw instead of calling; or null if there is nothing to do
     */
    public @Nullable Object enter(String origin, @Nullable Object target, @Nullable Object[] arguments) {
        try {
            Class<?> type = target == null ? typeOfStatic(origin) : target.getClass();
            return enter(runs.find(origin, type, () -> methodOf(origin)), target, arguments);
        } catch (InvalidTokenBudgetException wrongUse) {
            return wrongUse;
        } catch (ClassNotFoundException | LinkageError fault) {
            meter.fault("finding @TokenBudget of " + origin, fault);
            return null;
        }
    }

    /**
     * Enters a method of an interface that a framework implements; one without the annotation is the run all the same.
     *
     * @param service the framework's object
     * @param method the interface's
     * @param arguments null for none
     * @param call reads from them who is calling
     * @return the call to {@linkplain #exit exit}; what to throw instead of calling; or null if there is nothing to do
     */
    public @Nullable Object enterService(
            Object service,
            Method method,
            @Nullable Object @Nullable [] arguments,
            Function<IdentitySource, @Nullable String> call) {
        try {
            BudgetedMethod found = runs.find(method, service.getClass());
            return found == null
                    ? meter.openRun(call)
                    : NotCalled.ifRefused(
                            runs.enter(found, service, arguments == null ? NO_ARGUMENTS : arguments, call));
        } catch (InvalidTokenBudgetException wrongUse) {
            return wrongUse;
        }
    }

    private @Nullable Object enter(
            @Nullable BudgetedMethod method, @Nullable Object target, @Nullable Object[] arguments) {
        return method == null ? null : NotCalled.ifRefused(runs.enter(method, target, arguments));
    }

    private Class<?> typeOfStatic(String origin) throws ClassNotFoundException {
        Class<?> known = ofStatics.get(origin);
        if (known == null) {
            known = typeOf(origin);
            ofStatics.put(origin, known);
        }
        return known;
    }

    private Class<?> typeOf(String origin) throws ClassNotFoundException {
        return Class.forName(origin.substring(0, origin.indexOf('|')), false, application);
    }

    private Method methodOf(String origin) throws ReflectiveOperationException {
        String[] parts = origin.split("\\|", 3);
        Class<?> type = typeOf(origin);
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(parts[2], type.getClassLoader())
                .parameterArray();
        return type.getDeclaredMethod(parts[1], parameters);
    }

    /** What the advice skips a method for: the call that a limit refuses. */
    private static final class NotCalled extends Throwable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // stays on the stack of one call
        private final transient MethodCall call;

        private NotCalled(MethodCall call) {
            super(null, null, false, false);
            this.call = call;
        }

        static @Nullable Object ifRefused(@Nullable MethodCall entered) {
            return entered == null || entered.refusal() == null ? entered : new NotCalled(entered);
        }
    }

    /**
     * Ends what was entered.
     *
     * @return what the method returns and what it throws, in place of what it did; null to leave both as they are
     */
    public @Nullable Object @Nullable [] exit(
            @Nullable Object entered, @Nullable Object returned, @Nullable Throwable thrown) {
        if (entered instanceof NotCalled notCalled) {
            try {
                return new @Nullable Object[] {notCalled.call.refused(), null};
            } catch (Throwable toThrow) {
                return new @Nullable Object[] {returned, toThrow};
            }
        }
        if (entered instanceof MethodCall call) {
            try {
                Object result = call.exit(returned, thrown);
                return result == returned && thrown == null ? null : new @Nullable Object[] {result, null};
            } catch (Throwable toThrow) {
                return toThrow == thrown ? null : new @Nullable Object[] {returned, toThrow};
            }
        }
        if (entered instanceof Throwable wrongUse) {
            return new @Nullable Object[] {returned, wrongUse};
        }
        return null;
    }
}
