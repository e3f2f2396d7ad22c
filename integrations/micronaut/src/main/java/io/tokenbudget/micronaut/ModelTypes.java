package io.tokenbudget.micronaut;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.micronaut.inject.BeanDefinition;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.langchain4j.MeteredChatModel;
import io.tokenbudget.langchain4j.MeteredModel;
import io.tokenbudget.langchain4j.MeteredStreamingChatModel;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which objects are models of LangChain4j, what meters them, and by what beans are known. Stateless. */
final class ModelTypes {
    private static final String MODELS = "dev.langchain4j.model.";

    private ModelTypes() {}

    /** Whether objects of this class are models. */
    static boolean isModel(Class<?> type) {
        return !meteredBy(type).isEmpty();
    }

    /** The interfaces by which LangChain4j asks objects of this class. */
    static Set<Class<?>> meteredBy(Class<?> type) {
        Set<Class<?>> metered = interfaces(type);
        metered.removeIf(each -> !isMetered(each));
        return metered;
    }

    private static boolean isMetered(Class<?> type) {
        return type == ChatModel.class || type == StreamingChatModel.class || isOther(type);
    }

    /** Also those that later versions have added. */
    private static boolean isOther(Class<?> type) {
        String name = type.getName();
        return name.startsWith(MODELS)
                && !name.startsWith(MODELS + "chat.")
                && name.endsWith("Model")
                && !type.getSimpleName().startsWith("Batch");
    }

    /** What meters {@code model}, for each interface by which LangChain4j asks it. */
    static Map<Class<?>, Object> metered(Object model, CallMeter meter) {
        Map<Class<?>, Object> metered = new LinkedHashMap<>();
        for (Class<?> type : interfaces(model.getClass())) {
            if (type == ChatModel.class) {
                metered.put(type, MeteredChatModel.wrap((ChatModel) model, meter));
            } else if (type == StreamingChatModel.class) {
                metered.put(type, MeteredStreamingChatModel.wrap((StreamingChatModel) model, meter));
            } else if (isOther(type)) {
                metered.put(type, wrap(type, model, meter));
            }
        }
        return metered;
    }

    private static <M> M wrap(Class<M> type, Object model, CallMeter meter) {
        return MeteredModel.wrap(type, type.cast(model), meter);
    }

    private static Set<Class<?>> interfaces(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        if (type.isInterface()) {
            all.add(type);
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> implemented : each.getInterfaces()) {
                all.addAll(interfaces(implemented));
            }
        }
        return all;
    }

    /** The types by which a bean can be asked for. */
    static Set<Class<?>> knownBy(BeanDefinition<?> bean) {
        Set<Class<?>> exposed = bean.getExposedTypes();
        return exposed.isEmpty() ? Set.of(bean.getBeanType()) : exposed;
    }

    /** Whether another object can be injected wherever the bean can. */
    static boolean canBeReplaced(BeanDefinition<?> bean) {
        return knownBy(bean).stream().allMatch(Class::isInterface);
    }
}
