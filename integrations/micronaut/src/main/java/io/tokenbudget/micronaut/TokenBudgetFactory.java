package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.method.LaterResult;
import io.tokenbudget.core.method.MethodRuns;
import jakarta.inject.Singleton;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limiter and what meters with it. An application replaces any of them by a bean of its own of the same type.
 */
@Factory
public final class TokenBudgetFactory {
    private static final Logger LOG = LoggerFactory.getLogger("io.tokenbudget");

    TokenBudgetFactory() {}

    /** Where the operator is told what passes unmetered and what broke. */
    @Singleton
    @Requires(missingBeans = Notices.class)
    Notices notices() {
        return LOG::warn;
    }

    @Singleton
    ConfiguredBudgets configuredBudgets(Environment environment) {
        ConfiguredBudgets configured = ConfiguredBudgets.in(environment);
        for (String line : configured.lines()) {
            if (configured.isUsable()) {
                LOG.info("Token Budget: {}", line);
            } else {
                LOG.error("Token Budget: {}", line);
            }
        }
        return configured;
    }

    /** The limiter, for code of the application's own too. */
    @Singleton
    @Requires(missingBeans = DefaultTokenLimiter.class)
    DefaultTokenLimiter tokenLimiter(ConfiguredBudgets configured) {
        return TokenLimiters.builder().settings(configured.settings()).build();
    }

    /** What all metered calls of the application share; its limiter is what {@link TokenBudgets#limiter()} answers. */
    @Singleton
    @Requires(missingBeans = Metering.class)
    Metering metering(DefaultTokenLimiter limiter, Notices notices) {
        Metering metering = new Metering(limiter, notices);
        metering.install();
        return metering;
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
