package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodRuns;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The limiter and what meters with it. An application replaces any of them by a bean of its own of the same type.
 */
@Factory
public final class TokenBudgetFactory {
    TokenBudgetFactory() {}

    /** The process's limiter, also what {@link TokenBudgets#limiter()} answers. */
    @Singleton
    @Requires(missingBeans = DefaultTokenLimiter.class)
    DefaultTokenLimiter tokenLimiter() {
        DefaultTokenLimiter limiter =
                TokenLimiters.builder().settings(Settings.DEFAULT).build();
        TokenBudgets.install(limiter);
        return limiter;
    }

    /** What all metered calls of the application share. */
    @Singleton
    @Requires(missingBeans = Metering.class)
    Metering metering(DefaultTokenLimiter limiter) {
        return new Metering(limiter, Notices.logger());
    }

    /** Meters the application's calls. */
    @Singleton
    @Requires(missingBeans = CallMeter.class)
    CallMeter callMeter(Metering metering) {
        return metering.meter(CallerSource.of(TokenBudgetFactory.class.getClassLoader()), RefusalFactory.OWN);
    }

    /** Calls methods with {@code @TokenBudget}. */
    @Singleton
    @Requires(missingBeans = MethodRuns.class)
    MethodRuns methodRuns(CallMeter meter, List<LaterResult> laterResults) {
        return new MethodRuns(meter, laterResults);
    }
}
