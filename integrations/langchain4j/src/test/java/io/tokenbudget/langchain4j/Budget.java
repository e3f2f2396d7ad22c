package io.tokenbudget.langchain4j;

import io.tokenbudget.core.BudgetReport;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One global budget of tokens, and the meter that charges it. */
final class Budget {
    final List<String> notices = new ArrayList<>();
    private final Metering metering;
    private final CallMeter meter;

    Budget(long tokensPerHour) {
        Window hour = new Window.Rolling(Duration.ofHours(1));
        Limit limit = new Limit(tokensPerHour, LimitUnit.TOKENS, hour, tokensPerHour + " tokens per 1h");
        Settings d = Settings.DEFAULT;
        Settings settings = new Settings(
                d.mode(),
                d.hold(),
                d.remember(),
                d.rememberAtMost(),
                d.zone(),
                d.overrun(),
                d.identity(),
                List.of(new BudgetRow(List.of("global"), Arrays.asList((String) null), List.of(limit), "global")),
                d.estimates(),
                d.onFailure(),
                0);
        this.metering = new Metering(TokenLimiters.builder().settings(settings).build(), notices::add);
        this.meter = metering.meter(CallerSource.of(Budget.class.getClassLoader()), RefusalFactory.OWN);
    }

    CallMeter meter() {
        return meter;
    }

    BudgetReport report() {
        return metering.report();
    }

    long used() {
        return report().budgets().stream().mapToLong(status -> status.used()).sum();
    }

    long held() {
        return report().budgets().stream().mapToLong(status -> status.held()).sum();
    }
}
