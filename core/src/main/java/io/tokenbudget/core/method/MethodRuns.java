package io.tokenbudget.core.method;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.RunTerms;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes each call of a {@link BudgetedMethod} a run, or a part of the run around it: what every adapter brings its calls to.
 *
 * <p>A fault of ours leaves the method's calls to the run around it. A refusal is thrown by the model call inside, or
 * answered by the fallback. Thread-safe.
 */
public final class MethodRuns {
    private final CallMeter meter;
    private final List<LaterResult> laterResults;

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
     * Calls the method.
     *
     * @param target null for a static method
     * @throws InvalidTokenBudgetException if the annotation refers to what an argument turns out not to have
     * @throws Throwable what the body throws, or the fallback
     */
    public @Nullable Object call(
            BudgetedMethod method, @Nullable Object target, @Nullable Object[] arguments, Body body) throws Throwable {
        MethodCall call = enter(method, target, arguments);
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
     * whatever the method does.
     *
     * @param target null for a static method
     * @throws InvalidTokenBudgetException if the annotation refers to what an argument turns out not to have
     */
    public MethodCall enter(BudgetedMethod method, @Nullable Object target, @Nullable Object[] arguments) {
        RunTerms terms = new RunTerms(
                method.context(arguments, meter::fault), method.ceilings(), method.limited(), method.limits());
        return new MethodCall(this, method, target, arguments, meter.begin(terms));
    }

    CallMeter meter() {
        return meter;
    }

    @Nullable
    Object goesOn(@Nullable Object returned, MethodCall call) {
        if (returned == null) {
            return null;
        }
        try {
            for (LaterResult kind : laterResults) {
                if (kind.isOf(returned)) {
                    return kind.goesOn(returned, call);
                }
            }
        } catch (Throwable fault) {
            meter.fault("following what a method has begun", fault);
        }
        return returned;
    }
}
