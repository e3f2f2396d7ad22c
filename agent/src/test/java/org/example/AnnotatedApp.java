package org.example;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;

/** Has token-budget-annotations: says who is calling, and catches refusals by type. */
public final class AnnotatedApp {
    private AnnotatedApp() {}

    @SuppressWarnings("try") // the scope is only closed
    public static void main(String[] args) {
        EchoChatModel model = new EchoChatModel();
        for (String tenant : args) {
            BudgetContext caller = BudgetContext.builder().tenant(tenant).build();
            try (TokenBudgets.Scope scope = TokenBudgets.open(caller)) {
                System.out.println(tenant + " " + model.chat("question"));
            } catch (LimitExceededException refused) {
                System.out.println(tenant + " refused by " + refused.scope() + ", reason " + refused.reason());
            }
        }
    }
}
