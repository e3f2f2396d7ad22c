package io.tokenbudget.spring.boot;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.http.ContextHeader;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * For whom a request of a servlet container is served, kept with it: its later dispatches, and what ends it, are on other
 * threads. Immutable.
 *
 * @param parent the reservation that the request is made for, or null
 */
record ServedFor(BudgetContext caller, @Nullable String parent) {
    private static final String ATTRIBUTE = ServedFor.class.getName();

    static final ServedFor NOBODY = new ServedFor(BudgetContext.EMPTY, null);

    /** Whom this thread works for. */
    static ServedFor here() {
        return new ServedFor(TokenBudgets.current(), MDC.get(ContextHeader.PARENT));
    }

    /** What has been kept with {@code request}, or null. */
    static @Nullable ServedFor of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof ServedFor kept ? kept : null;
    }

    void keepWith(ServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** Lets this thread work for it until what is returned is closed on this thread. */
    Open open() {
        TokenBudgets.Scope scope = TokenBudgets.open(caller);
        if (parent == null) {
            return scope::close;
        }
        String before = MDC.get(ContextHeader.PARENT);
        MDC.put(ContextHeader.PARENT, parent);
        return () -> {
            scope.close();
            if (before == null) {
                MDC.remove(ContextHeader.PARENT);
            } else {
                MDC.put(ContextHeader.PARENT, before);
            }
        };
    }

    /** Belongs to the thread that opened it. */
    @FunctionalInterface
    interface Open {
        void close();
    }
}
