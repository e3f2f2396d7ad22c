package io.tokenbudget.spring.boot;

import io.tokenbudget.core.method.Annotations;
import io.tokenbudget.core.method.InvalidTokenBudgetException;
import io.tokenbudget.core.method.MethodSignature;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Wrong use of {@code @TokenBudget} on a bean is an error when the application starts: it is the application's own mistake, and
 * at the first call it would be too late. Thread-safe.
 */
final class BudgetedMethodsCheck implements BeanPostProcessor {
    private static final Log LOG = LogFactory.getLog("io.tokenbudget");

    private final Supplier<BudgetedCalls> calls;

    BudgetedMethodsCheck(Supplier<BudgetedCalls> calls) {
        this.calls = calls;
    }

    /**
     * @throws InvalidTokenBudgetException if an annotation cannot mean what is written, or Spring cannot see the method's calls
     */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        try {
            check(bean);
        } catch (InvalidTokenBudgetException wrong) {
            throw wrong;
        } catch (RuntimeException | LinkageError fault) {
            LOG.warn("Token Budget: whether @TokenBudget can work on the methods of " + name + " cannot be checked: "
                    + fault);
        }
        return bean;
    }

    private void check(Object bean) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if (BudgetedTypes.INSTANCE.get(type)) {
            for (Class<?> each : BudgetedTypes.all(type)) {
                for (Method method : each.getDeclaredMethods()) {
                    check(method, type);
                }
            }
        }
    }

    private void check(Method method, Class<?> type) {
        if (method.isBridge() || method.isSynthetic()) {
            return;
        }
        String unseen = BudgetedTypes.isOn(method) ? unseen(method) : null;
        if (unseen != null) {
            throw InvalidTokenBudgetException.on(
                    MethodSignature.of(method),
                    "found a " + unseen + " method, whose calls Spring cannot see; allowed: a method that is none of"
                            + " private, final and static, or TokenBudgets.open(..) in place of the annotation");
        }
        if (unseen(method) == null && !Proxy.isProxyClass(method.getDeclaringClass())) {
            Method called = BudgetedAdvisor.specific(method, type);
            if (Annotations.areOn(called, type)) {
                var unused = calls.get().runs().find(called, type);
            }
        }
    }

    private static @Nullable String unseen(Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return "private";
        }
        if (Modifier.isStatic(modifiers)) {
            return "static";
        }
        return Modifier.isFinal(modifiers) ? "final" : null;
    }
}
