package io.tokenbudget.launches.woven;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.langchain4j.MeteredChatModel;
import io.tokenbudget.langchain4j.MeteredStreamingChatModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The application with {@code token-budget-aspectj}: {@code WithLimiter http://127.0.0.1:8080/v1 budgets.yaml}. */
public final class WithLimiter {
    private WithLimiter() {}

    /** Works, and prints how its budgets stand. */
    public static void main(String[] args) throws IOException {
        String budgets = Files.readString(Path.of(args[1]));
        Metering metering = new Metering(TokenLimiters.builder().yaml(budgets).build(), Notices.logger());
        metering.install();
        CallMeter meter = metering.meter(CallerSource.of(WithLimiter.class.getClassLoader()), RefusalFactory.OWN);
        new Desk(
                        MeteredChatModel.wrap(Models.blocking(args[0]), meter),
                        MeteredStreamingChatModel.wrap(Models.streaming(args[0]), meter))
                .work();
        for (BudgetStatus status : metering.report().budgets()) {
            System.out.println(
                    "budget " + status.scope() + " " + status.unit() + " " + status.used() + " " + status.held());
        }
        System.out.println(metering.report().calls());
        System.out.println("done");
        while (System.in.read() >= 0) {}
    }
}
