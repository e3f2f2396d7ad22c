package io.tokenbudget.langchain4j;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import java.util.ArrayList;
import java.util.List;

/** One global budget of tokens, and the meter that charges it. */
final class Budget {
    final List<String> notices = new ArrayList<>();
    private final Metering metering;
    private final CallMeter meter;

    Budget(long tokensPerHour) {
        this("budgets: [{scope: global, limits: [\"" + tokensPerHour + " tokens per 1h\"]}]");
    }

    Budget(String yaml) {
        this.metering = new Metering(TokenLimiters.builder().yaml(yaml).build(), notices::add);
        this.meter = metering.meter(CallerSource.of(Budget.class.getClassLoader()), RefusalFactory.OWN);
    }

    CallMeter meter() {
        return meter;
    }

    BudgetReport report() {
        return metering.report();
    }

    long used() {
        return report().budgets().stream().mapToLong(BudgetStatus::used).sum();
    }

    long held() {
        return report().budgets().stream().mapToLong(BudgetStatus::held).sum();
    }
}
