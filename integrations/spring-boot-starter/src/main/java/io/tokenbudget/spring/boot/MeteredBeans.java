package io.tokenbudget.spring.boot;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;

/**
 * Meters every bean that is a model, however it is injected.
 *
 * <pre>
 *   class can be extended ................. a proxy of its class
 *   no class to be known by (a lambda),
 *   or declared by its interface .......... a proxy of its interfaces
 *   final, of Spring AI 2 ................. metered by what it observes
 *   else .................................. left as it is, and named
 * </pre>
 *
 * <p>A fault of ours leaves the bean as it is. Thread-safe.
 */
final class MeteredBeans implements BeanPostProcessor, PriorityOrdered {
    private final BeanFactory beans;
    private final ClassLoader loader;
    private final List<ModelKind> kinds;

    /** By name of the bean, why it is not metered; guarded by itself. */
    private final Map<String, String> unmetered = new TreeMap<>();

    MeteredBeans(BeanFactory beans) {
        this.beans = beans;
        ClassLoader context = ClassUtils.getDefaultClassLoader();
        this.loader = context == null ? MeteredBeans.class.getClassLoader() : context;
        this.kinds = ModelKind.present(loader);
    }

    /** Inside of what others put around a model: Spring's auto-proxy creator comes first among those that are only ordered. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        for (ModelKind kind : kinds) {
            try {
                if (kind.has(bean)) {
                    return metered(kind, bean, name);
                }
            } catch (RuntimeException | LinkageError fault) {
                cannot(name, bean, String.valueOf(fault));
            }
        }
        return bean;
    }

    private Object metered(ModelKind kind, Object bean, String name) {
        CallMeter meter = beans.getBean(CallMeter.class);
        Class<?> type = bean.getClass();
        String objection = ModelProxy.objection(type);
        if (objection == null) {
            return ModelProxy.ofClass(bean, kind.metered(bean, meter), copies(kind, name, meter), loader);
        }
        if (type.isHidden() || ClassUtils.isLambdaClass(type) || isKnownByInterface(name)) {
            return ModelProxy.ofInterfaces(bean, kind.metered(bean, meter), copies(kind, name, meter), loader);
        }
        if (!kind.meterInside(bean, meter)) {
            cannot(name, bean, objection);
        }
        return bean;
    }

    /** A builder of Spring AI 1's has a final class: what it builds is seen if it is a bean. */
    private ModelProxy.Copies copies(ModelKind kind, String name, CallMeter meter) {
        return new ModelProxy.Copies() {
            @Override
            public Object metered(Object copy) {
                return ModelProxy.objection(copy.getClass()) == null
                        ? ModelProxy.ofClass(copy, kind.metered(copy, meter), this, loader)
                        : copy;
            }

            @Override
            public void unseen(Object model) {
                if (cannot(name + ".mutate()", model, "copies are metered where they are beans")) {
                    beans.getBean(Notices.class)
                            .warn("Token Budget: calls of copies that mutate() makes of " + name
                                    + " pass uncounted unless the copy is a bean");
                }
            }
        };
    }

    /** Whether the bean is declared as an interface, so that nothing can count on its class. */
    private boolean isKnownByInterface(String name) {
        if (!(beans instanceof ConfigurableListableBeanFactory factory) || !factory.containsBeanDefinition(name)) {
            return false;
        }
        if (factory.isFactoryBean(name)) {
            Class<?> type = factory.getType(name);
            return type != null && type.isInterface();
        }
        BeanDefinition definition = factory.getMergedBeanDefinition(name);
        if (!(definition instanceof RootBeanDefinition root)) {
            return false;
        }
        Method method = root.getResolvedFactoryMethod();
        return method != null
                ? method.getReturnType().isInterface()
                : root.hasBeanClass() && root.getBeanClass().isInterface();
    }

    /** Whether it was not known yet. */
    private boolean cannot(String name, Object bean, String why) {
        synchronized (unmetered) {
            return unmetered.put(name, bean.getClass().getName() + ", " + why) == null;
        }
    }

    /** The models that cannot be metered, with the reason; null if there are none. */
    @Nullable
    String unmetered() {
        synchronized (unmetered) {
            return unmetered.isEmpty() ? null : unmetered.toString();
        }
    }

    /** The same, by name of the bean. */
    Map<String, String> unmeteredByName() {
        synchronized (unmetered) {
            return Map.copyOf(unmetered);
        }
    }
}
