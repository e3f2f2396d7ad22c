package io.tokenbudget.spring.boot;

import io.tokenbudget.core.method.Annotations;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.core.Ordered;

/**
 * Advice for the methods of beans that have {@code @TokenBudget}. Needs spring-aop alone, no AspectJ. Immutable.
 */
final class BudgetedAdvisor implements PointcutAdvisor, Ordered {
    private static final MethodMatcher METHODS = new StaticMethodMatcher() {
        @Override
        public boolean matches(Method method, Class<?> target) {
            return Annotations.areOn(specific(method, target), target);
        }
    };

    private static final Pointcut POINTCUT = new Pointcut() {
        @Override
        public ClassFilter getClassFilter() {
            return BudgetedTypes.INSTANCE::get;
        }

        @Override
        public MethodMatcher getMethodMatcher() {
            return METHODS;
        }
    };

    private final Advice advice;
    private final int order;

    BudgetedAdvisor(Advice advice, int order) {
        this.advice = advice;
        this.order = order;
    }

    /** Whether its advice makes runs of calls. */
    boolean isOfRuns() {
        return advice instanceof BudgetedCalls;
    }

    /** The method that is called on a target of that class. Of a proxy it is the interface's: only that has names. */
    static Method specific(Method method, Class<?> target) {
        return Proxy.isProxyClass(target) ? method : AopUtils.getMostSpecificMethod(method, target);
    }

    @Override
    public Pointcut getPointcut() {
        return POINTCUT;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    @Override
    public int getOrder() {
        return order;
    }
}
