package io.tokenbudget.spring.boot;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;

/**
 * Meters every bean that is a model, however it is injected.
 *
 * <pre>
 *   class can be extended ................. a proxy of its class
 *   final, of Spring AI 2 ................. metered by what it observes
 *   no class to be known by (a lambda),
 *   or declared by its interface .......... a proxy of its interfaces
 *   else .................................. left as it is, and named
 * </pre>
 *
 * <p>What a test mocks or spies on is left as it is, too. A proxy of Spring's that stands around a model already keeps its place and gets the metered model as its target. A fault of
 * ours leaves the bean as it is. Thread-safe.
 */
final class MeteredBeans implements BeanPostProcessor, PriorityOrdered {
    private final BeanFactory beans;
    private final ClassLoader loader;
    private final List<ModelKind> kinds;
    private final Mocks mocks;

    /** By name of the bean, why it is not metered; guarded by itself. */
    private final Map<String, String> unmetered = new TreeMap<>();

    /** Is told of them from when it is there; guarded by them. */
    private @Nullable Consumer<Map<String, String>> told;

    /** By name of the bean, the object that was made of a model to which others refer before it is complete. */
    private final Map<String, Object> early = new ConcurrentHashMap<>();

    MeteredBeans(BeanFactory beans) {
        this.beans = beans;
        ClassLoader context = ClassUtils.getDefaultClassLoader();
        this.loader = context == null ? MeteredBeans.class.getClassLoader() : context;
        this.kinds = ModelKind.present(loader);
        this.mocks = new Mocks(loader);
    }

    /** Inside of what others put around a model: Spring's auto-proxy creator comes first among those that are only ordered. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (early.get(name) == bean) {
            // Spring puts in its place what others were given.
            early.remove(name);
            return bean;
        }
        return metered(bean, name);
    }

    /**
     * Meters models that are in a circle of references. Last, because what makes proxies knows a bean again by the object that was
     * made.
     */
    record InCircles(MeteredBeans models) implements SmartInstantiationAwareBeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Object getEarlyBeanReference(Object bean, String name) {
            Object made = bean;
            for (Object target = bean; target != null; target = AopProxyUtils.getSingletonTarget(target)) {
                made = target;
            }
            Object metered = models.metered(bean, name);
            models.early.put(name, made);
            return metered;
        }
    }

    private Object metered(Object bean, String name) {
        try {
            List<ModelKind> of = kinds.stream().filter(kind -> kind.has(bean)).toList();
            return of.isEmpty() ? bean : metered(of, bean, name);
        } catch (RuntimeException | LinkageError fault) {
            leave(name, bean, String.valueOf(fault));
            return bean;
        }
    }

    private Object metered(List<ModelKind> kinds, Object bean, String name) {
        if (bean instanceof Advised advised) {
            if (ModelProxy.isIn(advised) || advised.getTargetSource() instanceof AbstractBeanFactoryBasedTargetSource) {
                // Metered, or what stands in front of another bean, as that of a scope.
                return bean;
            }
            Object target = AopProxyUtils.getSingletonTarget(bean);
            if (target != null && !advised.isFrozen()) {
                Object inside = metered(target, name);
                if (inside != target) {
                    advised.setTargetSource(new SingletonTargetSource(inside));
                }
                return bean;
            }
        }
        if (mocks.contains(bean)) {
            leave(name, bean, "it is a mock or a spy");
            return bean;
        }
        CallMeter meter = beans.getBean(CallMeter.class);
        Class<?> type = bean.getClass();
        String objection = ModelProxy.objection(type, loaderFor(type));
        if (objection == null) {
            return ModelProxy.ofClass(
                    bean, ways(kinds, bean, name, meter), copies(kinds, name, meter), loaderFor(type));
        }
        if (kinds.stream().allMatch(kind -> kind.meterInside(bean, meter))) {
            return bean;
        }
        if (type.isHidden() || ClassUtils.isLambdaClass(type) || Proxy.isProxyClass(type) || isKnownByInterface(name)) {
            return ModelProxy.ofInterfaces(
                    bean, ways(kinds, bean, name, meter), copies(kinds, name, meter), loaderFor(type));
        }
        if (!kinds.stream().allMatch(kind -> kind.isMeteredElsewhere(bean))) {
            leave(name, bean, objection);
        }
        return bean;
    }

    private ModelWays ways(List<ModelKind> kinds, Object model, String name, CallMeter meter) {
        ModelWays ways = new ModelWays(kinds, model, meter);
        for (String method : ways.unseen()) {
            leave(name + '.' + method + "()", model, "what the class's own method asks of itself is not seen");
        }
        return ways;
    }

    /** The model's own, so that what only its package knows can be overridden; unless that knows no Spring. */
    private ClassLoader loaderFor(Class<?> type) {
        ClassLoader own = type.getClassLoader();
        return own != null && ClassUtils.isVisible(SpringProxy.class, own) ? own : loader;
    }

    /** A builder of Spring AI 1's has a final class: what it builds is seen if it is a bean. */
    private ModelProxy.Copies copies(List<ModelKind> kinds, String name, CallMeter meter) {
        return new ModelProxy.Copies() {
            @Override
            public Object metered(Object copy) {
                ClassLoader loader = loaderFor(copy.getClass());
                return ModelProxy.objection(copy.getClass(), loader) == null
                        ? ModelProxy.ofClass(copy, new ModelWays(kinds, copy, meter), this, loader)
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

    private void leave(String name, Object bean, String why) {
        synchronized (unmetered) {
            if (cannot(name, bean, why) && told != null) {
                told.accept(Map.of(name, String.valueOf(unmetered.get(name))));
            }
        }
    }

    /** Tells of the models that cannot be metered, with the reason: of those that are known at once, of others when they are. */
    void tell(Consumer<Map<String, String>> told) {
        synchronized (unmetered) {
            this.told = told;
            if (!unmetered.isEmpty()) {
                told.accept(Collections.unmodifiableMap(new TreeMap<>(unmetered)));
            }
        }
    }

    /** The models that cannot be metered, with the reason, by name of the bean. */
    Map<String, String> unmeteredByName() {
        synchronized (unmetered) {
            return Map.copyOf(unmetered);
        }
    }
}
