package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** {@code @TokenBudget} on methods of beans. */
@AutoConfiguration(after = {TokenBudgetAutoConfiguration.class, AopAutoConfiguration.class})
@ConditionalOnProperty(prefix = StarterSettings.PREFIX, name = "enabled", matchIfMissing = true)
@Import(AnnotationAutoConfiguration.Proxies.class)
public class AnnotationAutoConfiguration {
    /** Outside of what retries by default, so that all attempts are one run. */
    private static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    @Bean("io.tokenbudget.calls")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BudgetedCalls tokenBudgetCalls(ObjectProvider<CallMeter> meter) {
        return new BudgetedCalls(meter::getObject);
    }

    @Bean("io.tokenbudget.advisor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BudgetedAdvisor tokenBudgetAdvisor(BudgetedCalls calls, Environment environment) {
        return new BudgetedAdvisor(calls, StarterSettings.number(environment, "aspect-order", DEFAULT_ORDER));
    }

    @Bean("io.tokenbudget.methodsCheck")
    static BudgetedMethodsCheck tokenBudgetMethodsCheck(ObjectProvider<BudgetedCalls> calls) {
        return new BudgetedMethodsCheck(calls::getObject);
    }

    @Bean("io.tokenbudget.proxies")
    static BudgetedProxies tokenBudgetProxies(ConfigurableListableBeanFactory beans) {
        return new BudgetedProxies(beans);
    }

    /** What makes proxies for advisors, also where Spring's own is switched off. */
    static class Proxies implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }
}
