package io.tokenbudget.springai;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.spi.Limit;
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
        DefaultTokenLimiter limiter = TokenLimiters.builder()
                .yaml("""
                budgets:
                  - scope: global
                    limits: ["%1$d tokens", "%2$d input tokens", "%2$d output tokens", "$9000000"]
                prices: {"*": {image: 0.04}}
                """.formatted(tokens, Limit.MAX_AMOUNT))
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

    long used() {
        return status("tokens").used();
    }

    /** Nano-USD. */
    long paid() {
        return status("usd").used();
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
