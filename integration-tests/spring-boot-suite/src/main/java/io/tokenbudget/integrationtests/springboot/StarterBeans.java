package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.spring.boot.AnnotationAutoConfiguration;
import io.tokenbudget.spring.boot.TokenBudgetAutoConfiguration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Makes objects of a matrix beans, so that the starter meters them. Thread-safe. */
public final class StarterBeans {
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final AtomicInteger made = new AtomicInteger();

    /** @param meter takes the place of the starter's */
    public StarterBeans(CallMeter meter) {
        context.registerBean(CallMeter.class, () -> meter);
        context.register(TokenBudgetAutoConfiguration.class, AnnotationAutoConfiguration.class);
        context.refresh();
    }

    /** {@code object} as a bean that is declared as {@code type}. */
    public <T> T bean(Class<T> type, T object) {
        String name = "bean" + made.incrementAndGet();
        RootBeanDefinition definition = new RootBeanDefinition(type, () -> object);
        definition.setAutowireCandidate(false);
        context.registerBeanDefinition(name, definition);
        return context.getBean(name, type);
    }

    /** {@code object} as a bean that is declared by its own class. */
    @SuppressWarnings("unchecked") // its own
    public <T> T byClass(T object) {
        return bean((Class<T>) object.getClass(), object);
    }
}
