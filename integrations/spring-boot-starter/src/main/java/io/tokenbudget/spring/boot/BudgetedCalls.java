package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodRuns;
import io.tokenbudget.langchain4j.TokenStreams;
import io.tokenbudget.reactor.ReactorResults;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Brings each call of a method with {@code @TokenBudget} to the engine. Thread-safe. */
final class BudgetedCalls implements MethodInterceptor {
    private final Supplier<CallMeter> meter;
    private final Supplier<MethodRuns> runs;

    /** @param meter asked for the first call: while the advisor is made, hardly any other bean may be */
    BudgetedCalls(Supplier<CallMeter> meter) {
        this.meter = meter;
        this.runs = SingletonSupplier.of(() -> new MethodRuns(meter.get(), laterResults()));
    }

    private static List<LaterResult> laterResults() {
        ClassLoader loader = BudgetedCalls.class.getClassLoader();
        List<LaterResult> kinds = new ArrayList<>();
        if (ClassUtils.isPresent("reactor.core.publisher.Mono", loader)) {
            kinds.add(new ReactorResults());
        }
        if (ClassUtils.isPresent("dev.langchain4j.service.TokenStream", loader)) {
            kinds.add(new TokenStreams());
        }
        return kinds;
    }

    MethodRuns runs() {
        return runs.get();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        return runs().call(
                        BudgetedAdvisor.specific(invocation.getMethod(), type),
                        target,
                        invocation.getArguments(),
                        () -> {
                            AttemptsOfRun.begin(invocation, meter.get().currentRun());
                            return RefusalsAsResults.result(invocation.proceed());
                        });
    }
}
