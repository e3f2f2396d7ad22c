package io.tokenbudget.spring.boot;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import org.aopalliance.aop.Advice;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.retry.RetryListener;
import org.springframework.util.ClassUtils;

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
        return new BudgetedAdvisor(calls, order(environment));
    }

    @Bean("io.tokenbudget.attemptsAdvisor")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BudgetedAdvisor tokenBudgetAttemptsAdvisor(ObjectProvider<CallMeter> meter) {
        return new BudgetedAdvisor(new AttemptsOfRun(meter::getObject), Ordered.LOWEST_PRECEDENCE);
    }

    @Bean("io.tokenbudget.methodsCheck")
    static BudgetedMethodsCheck tokenBudgetMethodsCheck(ObjectProvider<BudgetedCalls> calls) {
        return new BudgetedMethodsCheck(calls::getObject);
    }

    @Bean("io.tokenbudget.proxies")
    static BudgetedProxies tokenBudgetProxies(ConfigurableListableBeanFactory beans) {
        return new BudgetedProxies(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = OutsideOfRetries.RETRY)
    static class SpringFramework7 {
        @Bean("io.tokenbudget.outsideOfRetries")
        @Conditional(DefaultOrder.class)
        static OutsideOfRetries tokenBudgetOutsideOfRetries(
                ObjectProvider<CallMeter> meter, ObjectProvider<Notices> notices) throws ClassNotFoundException {
            ClassLoader loader = AnnotationAutoConfiguration.class.getClassLoader();
            Advice inside = new RefusalsAsResults(meter::getObject);
            return new OutsideOfRetries(
                    ClassUtils.forName(OutsideOfRetries.RETRY, loader),
                    new BudgetedAdvisor(inside, Ordered.LOWEST_PRECEDENCE),
                    notices::getObject);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.retry.interceptor.MethodInvocationRetryCallback")
    static class SpringRetry {
        /** Found by {@code @EnableRetry}, and in nobody's way who has one listener of his own injected. */
        @Bean(name = "io.tokenbudget.refusalsAreFinal", autowireCandidate = false)
        static RetryListener tokenBudgetRefusalsAreFinal(ObjectProvider<CallMeter> meter) {
            return new FinalForSpringRetry(meter::getObject);
        }
    }

    /** An order of the application's own is where the advice stays. */
    static class DefaultOrder implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return order(context.getEnvironment()) == DEFAULT_ORDER;
        }
    }

    private static int order(Environment environment) {
        return StarterSettings.number(environment, "aspect-order", DEFAULT_ORDER);
    }

    /** What makes proxies for advisors, also where Spring's own is switched off. */
    static class Proxies implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }
}
