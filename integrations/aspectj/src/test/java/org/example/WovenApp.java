package org.example;

import dev.langchain4j.model.chat.ChatModel;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.langchain4j.MeteredChatModel;

/** What docs/aspectj.md shows, in an application. */
public final class WovenApp {
    private final ChatModel model;

    /** Installs the limiter of the process. */
    public WovenApp(ChatModel openAi, String budgets) {
        Metering metering = new Metering(TokenLimiters.builder().yaml(budgets).build(), Notices.logger());
        metering.install(); // once, at start-up: the aspect finds it
        CallMeter meter = metering.meter(CallerSource.of(WovenApp.class.getClassLoader()), RefusalFactory.OWN);
        this.model = MeteredChatModel.wrap(openAi, meter);
    }

    /** A run of the planner. */
    @TokenBudget(agent = "planner", tenant = "{tenant}", maxTokens = 20_000)
    public String plan(String tenant, String goal) {
        return model.chat(goal);
    }
}
