package io.tokenbudget.springai;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One global budget and what was booked on it. */
final class Books {
    static final int DEFAULT_OUTPUT = 1024;

    private final Metering metering;
    final CallMeter meter;
    final List<String> notices = Collections.synchronizedList(new ArrayList<>());

    private Books(long tokens) {
        Settings defaults = Settings.DEFAULT;
        BudgetRow global = new BudgetRow(
                List.of("global"),
                Collections.singletonList(null),
                List.of(
                        limit(tokens, LimitUnit.TOKENS),
                        limit(Limit.MAX_AMOUNT, LimitUnit.INPUT_TOKENS),
                        limit(Limit.MAX_AMOUNT, LimitUnit.OUTPUT_TOKENS)),
                "global");
        DefaultTokenLimiter limiter = TokenLimiters.builder()
                .settings(new Settings(
                        defaults.mode(),
                        defaults.hold(),
                        defaults.remember(),
                        defaults.rememberAtMost(),
                        defaults.zone(),
                        defaults.overrun(),
                        defaults.identity(),
                        List.of(global),
                        defaults.estimates(),
                defaults.prices(),
                        defaults.streaming(),
                        defaults.onFailure(),
                        defaults.http(),
                        defaults.statusPort()))
                .build();
        metering = new Metering(limiter, notices::add);
        meter = metering.meter(CallerSource.of(Books.class.getClassLoader()), RefusalFactory.OWN);
    }

    static Books unlimited() {
        return new Books(Limit.MAX_AMOUNT);
    }

    static Books limitedTo(long tokens) {
        return new Books(tokens);
    }

    private static Limit limit(long amount, LimitUnit unit) {
        return new Limit(amount, unit, Window.Lifetime.INSTANCE, amount + " " + unit);
    }

    long used() {
        return status("tokens").used();
    }

    long held() {
        return status("tokens").held();
    }

    long input() {
        return status("input tokens").used();
    }

    long output() {
        return status("output tokens").used();
    }

    BudgetReport.Calls calls() {
        return metering.report().calls();
    }

    int openStreams() {
        return metering.openStreams();
    }

    long ratioCalls() {
        return metering.report().estimates().stream()
                .mapToLong(BudgetReport.ModelEstimate::calls)
                .sum();
    }

    private BudgetStatus status(String unit) {
        return metering.report().budgets().stream()
                .filter(status -> status.unit().equals(unit))
                .findFirst()
                .orElseThrow();
    }
}
