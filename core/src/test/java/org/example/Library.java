package org.example;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;

public final class Library {
    private static final String BUDGETS = """
            budgets:
              - scope: tenant
                limits: ["1000 tokens per 1h"]
              - scope: run
                limits: ["5 attempts"]
            """;

    private final TokenLimiter limiter = TokenLimiters.builder().yaml(BUDGETS).build();

    public static void main(String[] args) {
        Library library = new Library();
        try {
            while (true) {
                library.ask("acme", "run-1");
                System.out.println(library.limiter.remaining("tenant:acme") + " tokens left");
            }
        } catch (LimitExceededException refused) {
            System.out.println(refused.getMessage());
        }
    }

    private void ask(String tenant, String run) {
        Reservation reservation = limiter.reserve(ReservationRequest.builder()
                .context(BudgetContext.builder().tenant(tenant).runId(run).build())
                .model("gpt-4o-mini")
                .inputTokens(100)
                .outputTokens(300)
                .build());
        Usage usage;
        try {
            usage = callTheModel();
        } catch (RuntimeException failed) {
            limiter.refund(reservation.id());
            throw failed;
        }
        limiter.settle(reservation.id(), usage);
    }

    private static Usage callTheModel() {
        return Usage.of(90, 160); // what the provider's answer says
    }
}
