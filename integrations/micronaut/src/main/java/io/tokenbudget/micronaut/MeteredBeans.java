package io.tokenbudget.micronaut;

import dev.langchain4j.model.chat.ChatModel;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.event.BeanPreDestroyEvent;
import io.micronaut.context.event.BeanPreDestroyEventListener;
import io.micronaut.core.order.Ordered;
import io.micronaut.inject.BeanDefinition;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Meters every bean that is a model and is known by interfaces alone, however it is injected. One that is known by its class is
 * left as it is, and named: nothing that is no such class could be injected in its place.
 *
 * <p>Listens to all beans: LangChain4j adds kinds of models, which have nothing in common. A fault of ours leaves the bean as
 * it is. Thread-safe.
 */
@Singleton
@Requires(classes = ChatModel.class)
final class MeteredBeans implements BeanCreatedEventListener<Object>, BeanPreDestroyEventListener<Object>, Ordered {
    private final BeanProvider<CallMeter> meter;
    private final BeanProvider<UnmeteredBeans> unmetered;
    private final BeanProvider<Notices> notices;

    /** By class, whether beans of it are models. */
    private final Map<Class<?>, Boolean> models = new ConcurrentHashMap<>();

    /** Providers: it is made before every other bean. */
    MeteredBeans(BeanProvider<CallMeter> meter, BeanProvider<UnmeteredBeans> unmetered, BeanProvider<Notices> notices) {
        this.meter = meter;
        this.unmetered = unmetered;
        this.notices = notices;
    }

    /** After the application's own listeners: what they configure when it is made is their model. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Object onCreated(BeanCreatedEvent<Object> event) {
        Object bean = event.getBean();
        if (!models.computeIfAbsent(bean.getClass(), ModelTypes::isModel) || MeteredProxy.isOne(bean)) {
            return bean;
        }
        BeanDefinition<Object> definition = event.getBeanDefinition();
        try {
            if (ModelTypes.canBeReplaced(definition)) {
                Object metered =
                        MeteredProxy.of(bean, ModelTypes.knownBy(definition), ModelTypes.metered(bean, meter.get()));
                unmetered.get().addMethods(definition, bean.getClass());
                return metered;
            }
            unmetered.get().add(definition);
        } catch (RuntimeException | LinkageError fault) {
            notices.get().warn("the model bean " + definition.getName() + " is not metered: " + fault);
        }
        return bean;
    }

    /** Micronaut closes what the last one answers here: its generated code casts to the model's class. */
    @Override
    public Object onPreDestroy(BeanPreDestroyEvent<Object> event) {
        return MeteredProxy.behind(event.getBean());
    }
}
