package io.tokenbudget.spring.boot;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Lets a bean that has {@code @TokenBudget} be injected by its class, whatever kind of proxy the application asks for. All other
 * beans keep that. Stateless.
 */
final class BudgetedProxies implements InstantiationAwareBeanPostProcessor {
    private final ConfigurableListableBeanFactory beans;

    BudgetedProxies(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Before anything can refer to it. */
    @Override
    public boolean postProcessAfterInstantiation(Object bean, String name) {
        Class<?> type = bean.getClass();
        if (canBeExtended(type) && BudgetedTypes.INSTANCE.get(type) && beans.containsBeanDefinition(name)) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true);
        }
        return true;
    }

    private static boolean canBeExtended(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type) && !ClassUtils.isLambdaClass(type);
    }
}
