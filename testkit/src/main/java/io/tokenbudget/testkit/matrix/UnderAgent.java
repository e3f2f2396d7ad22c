package io.tokenbudget.testkit.matrix;

import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.net.URI;
import java.util.function.Supplier;

/** Metered by the agent of this JVM, whose status page system property {@value #PROPERTY} names. */
public final class UnderAgent implements Way {
    /** The system property with the address, such as {@code http://127.0.0.1:9797/budgets}. */
    public static final String PROPERTY = "accounting-matrix.budgets";

    private final BudgetsEndpoint endpoint;
    private final Outcomes outcomes = Outcomes.written();

    /**
     * @throws IllegalStateException if the property is not set, or if a class of ours is in reach of the application:
     *     the agent would take it for the application's own limiter
     */
    public UnderAgent() {
        String uri = System.getProperty(PROPERTY);
        if (uri == null) {
            throw new IllegalStateException("-D" + PROPERTY + " must name the agent's GET /budgets");
        }
        if (getClass().getClassLoader().getResource("io/tokenbudget/TokenBudgets.class") != null) {
            throw new IllegalStateException("token-budget-annotations must not be on the class path of this run");
        }
        this.endpoint = new BudgetsEndpoint(URI.create(uri));
    }

    @Override
    public BudgetsSnapshot budgets() {
        return endpoint.read();
    }

    @Override
    public Outcome unmetered(String cell, Supplier<Outcome> control) {
        return outcomes.get(cell);
    }
}
