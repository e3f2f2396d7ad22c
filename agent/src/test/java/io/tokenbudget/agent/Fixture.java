package io.tokenbudget.agent;

import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import java.util.ArrayList;
import java.util.List;

/** A limiter with one budget for each tenant, and what was said about it. */
final class Fixture {
    final List<String> lines = new ArrayList<>();
    final Metering metering;

    Fixture(String limit) {
        String yaml = "budgets: [{scope: tenant, limits: [\"" + limit + "\"]}]";
        metering = new Metering(TokenLimiters.builder().yaml(yaml).build(), lines::add);
    }

    CallMeter meter() {
        return metering.meter(CallerSource.of(Fixture.class.getClassLoader()), RefusalFactory.OWN);
    }

    BridgeLoader bridgeTo(ClassLoader application) {
        return new BridgeLoader(application, metering, lines::add, applications(), new LoadedApis(lines::add));
    }

    Bridges bridges() {
        return bridges(applications());
    }

    Bridges bridges(Applications applications) {
        return new Bridges(metering, lines::add, new LoadedApis(lines::add), applications);
    }

    private Applications applications() {
        return new Applications(lines::add, () -> {});
    }

    BudgetReport.Calls calls() {
        return metering.report().calls();
    }
}
