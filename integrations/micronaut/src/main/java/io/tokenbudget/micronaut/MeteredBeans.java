package io.tokenbudget.micronaut;

import dev.langchain4j.model.chat.ChatModel;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.event.BeanPreDestroyEvent;
import io.micronaut.context.event.BeanPreDestroyEventListener;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.metering.CallMeter;
import jakarta.inject.Singleton;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
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
final class MeteredBeans implements BeanCreatedEventListener<Object>, BeanPreDestroyEventListener<Object> {
    private final BeanProvider<CallMeter> meter;
    private final BeanProvider<UnmeteredBeans> unmetered;
    private final BeanProvider<Notices> notices;

    /** By class, whether beans of it are models. */
    private final Map<Class<?>, Boolean> models = new ConcurrentHashMap<>();

    /** The classes of what stands in a model's place: no other bean of the application is asked for its hash code. */
    private final Set<Class<?>> replacing = ConcurrentHashMap.newKeySet();

    /** What stands in a model's place, and the model, which is what has to be closed. */
    private final Map<Object, Object> replaced = Collections.synchronizedMap(new WeakHashMap<>());

    /** Providers: it is made before every other bean. */
    MeteredBeans(BeanProvider<CallMeter> meter, BeanProvider<UnmeteredBeans> unmetered, BeanProvider<Notices> notices) {
        this.meter = meter;
        this.unmetered = unmetered;
        this.notices = notices;
    }

    @Override
    public Object onCreated(BeanCreatedEvent<Object> event) {
        Object bean = event.getBean();
        if (!models.computeIfAbsent(bean.getClass(), ModelTypes::isModel)) {
            return bean;
        }
        try {
            if (ModelTypes.canBeReplaced(event.getBeanDefinition())) {
                Object metered = MeteredProxy.of(
                        bean, ModelTypes.knownBy(event.getBeanDefinition()), ModelTypes.metered(bean, meter.get()));
                replacing.add(metered.getClass());
                replaced.put(metered, bean);
                return metered;
            }
            unmetered.get().add(event.getBeanDefinition());
        } catch (RuntimeException | LinkageError fault) {
            notices.get().warn("the model bean " + event.getBeanDefinition().getName() + " is not metered: " + fault);
        }
        return bean;
    }

    /** Micronaut closes what it is given here: its generated code casts to the model's class. */
    @Override
    public Object onPreDestroy(BeanPreDestroyEvent<Object> event) {
        Object bean = event.getBean();
        Object model = replacing.contains(bean.getClass()) ? replaced.get(bean) : null;
        return model == null ? bean : model;
    }
}
