package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Mdc;
import io.tokenbudget.core.metering.RefusalFactory;

/**
 * The application's own {@code io.tokenbudget} classes as one of its class loaders sees them, where it has them: classes
 * of the same names as ours and of another loader, so they are only ever reached by reflection.
 *
 * @param caller who is calling
 * @param refusals which exception to throw
 */
record ApplicationApi(CallerSource caller, RefusalFactory refusals) {

    static ApplicationApi seenBy(ClassLoader application, Notices notices) {
        Mdc mdc = Mdc.seenBy(application);
        try {
            Class<?> budgets = Class.forName("io.tokenbudget.TokenBudgets", false, application);
            return new ApplicationApi(ApplicationCaller.of(budgets, mdc), new ApplicationRefusals(application));
        } catch (ClassNotFoundException withoutAnnotations) {
            return new ApplicationApi(ApplicationCaller.withoutContext(mdc), ApplicationRefusals.ours());
        } catch (ReflectiveOperationException | LinkageError mismatch) {
            notices.warn("token-budget-annotations of the application does not fit this agent, its BudgetContext is not"
                    + " read and refusals are thrown as the agent's own class: " + mismatch);
            return new ApplicationApi(ApplicationCaller.withoutContext(mdc), ApplicationRefusals.ours());
        }
    }
}
