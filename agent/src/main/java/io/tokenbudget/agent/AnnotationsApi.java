package io.tokenbudget.agent;

import io.tokenbudget.BudgetContext;

/**
 * An application's own {@code io.tokenbudget} classes: of the same names as ours and of another loader, so they are only ever
 * reached by reflection.
 *
 * @param budgets its {@code TokenBudgets}
 * @param contexts reads and opens its contexts
 * @param refusals makes its exceptions
 */
record AnnotationsApi(Class<?> budgets, ApplicationContexts contexts, ApplicationRefusals refusals) {

    /** @throws ReflectiveOperationException if it is of a version that does not fit */
    static AnnotationsApi of(Class<?> budgets) throws ReflectiveOperationException {
        return new AnnotationsApi(
                budgets, ApplicationContexts.of(budgets), new ApplicationRefusals(budgets.getClassLoader()));
    }

    /** Whether the application has opened a context on this thread. */
    @SuppressWarnings("ReferenceEquality") // what is read where nothing is open
    boolean isOpenHere() {
        return contexts.current() != BudgetContext.EMPTY;
    }
}
