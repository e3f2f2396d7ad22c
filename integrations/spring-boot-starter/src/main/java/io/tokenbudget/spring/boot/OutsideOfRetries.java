package io.tokenbudget.spring.boot;

import io.tokenbudget.core.Notices;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Puts the advice of {@code @TokenBudget} directly outside of {@code @Retryable} of Spring Framework 7, whose post-processor
 * puts that before every advice there is.
 *
 * <pre>
 *   after Spring      @Retryable, others, @TokenBudget, others
 *   after this        @TokenBudget, @Retryable, {@link RefusalsAsResults}, others
 * </pre>
 *
 * <p>Has no order, and so comes after every post-processor that has one, as Spring's has. The bean is not published yet. A proxy
 * that cannot be changed is left as it is. Thread-safe.
 */
final class OutsideOfRetries implements BeanPostProcessor {
    /** What needs to be there for any of this. */
    static final String RETRY = "org.springframework.resilience.retry.AbstractRetryInterceptor";

    private final Class<?> retry;
    private final Advisor inside;
    private final Supplier<Notices> notices;

    /**
     * @param retry the class of that name
     * @param inside what stands directly inside of the retry
     */
    OutsideOfRetries(Class<?> retry, Advisor inside, Supplier<Notices> notices) {
        this.retry = retry;
        this.inside = inside;
        this.notices = notices;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        try {
            if (bean instanceof Advised advised && !advised.isFrozen()) {
                moveOut(advised);
            }
        } catch (RuntimeException | LinkageError fault) {
            notices.get()
                    .warn("Token Budget: attempts of @Retryable are runs of their own in " + name + ", unless they have"
                            + " an idempotencyKey: " + fault);
        }
        return bean;
    }

    private void moveOut(Advised advised) {
        Advisor[] advisors = advised.getAdvisors();
        int retried = -1;
        for (int i = 0; i < advisors.length; i++) {
            if (retried < 0 && isPutBefore(advisors[i])) {
                retried = i;
            }
            if (advisors[i] instanceof BudgetedAdvisor ours && retried >= 0 && ours.isOfRuns()) {
                advised.removeAdvisor(i);
                advised.addAdvisor(retried, ours);
                advised.addAdvisor(retried + 2, inside);
                return;
            }
        }
    }

    /** One with an order of its own stands where the application wants it. */
    private boolean isPutBefore(Advisor advisor) {
        Advice advice = advisor.getAdvice();
        return retry.isInstance(advice)
                && advisor instanceof Ordered ordered
                && ordered.getOrder() == Ordered.LOWEST_PRECEDENCE;
    }
}
