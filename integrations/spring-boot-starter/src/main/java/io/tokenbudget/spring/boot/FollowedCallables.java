package io.tokenbudget.spring.boot;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * Lets a {@code Callable} that a controller of Spring MVC returns work for the request's caller, on whatever executor.
 *
 * <p>Thread-safe: what is open is each thread's own, from before the callable to after it.
 */
final class FollowedCallables implements CallableProcessingInterceptor {
    private static final String CALLER = FollowedCallables.class.getName();

    @SuppressWarnings("ThreadLocalUsage") // one for each application
    private final ThreadLocal<TokenBudgets.@Nullable Scope> open = new ThreadLocal<>();

    @Override
    public <T> void beforeConcurrentHandling(NativeWebRequest request, Callable<T> task) {
        request.setAttribute(CALLER, TokenBudgets.current(), RequestAttributes.SCOPE_REQUEST);
    }

    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        if (request.getAttribute(CALLER, RequestAttributes.SCOPE_REQUEST) instanceof BudgetContext caller) {
            open.set(TokenBudgets.open(caller));
        }
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
        TokenBudgets.Scope scope = open.get();
        if (scope != null) {
            open.remove();
            scope.close();
        }
    }
}
