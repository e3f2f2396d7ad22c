package io.tokenbudget.spring.boot;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.langchain4j.MeteredChatModel;
import io.tokenbudget.langchain4j.MeteredModel;
import io.tokenbudget.langchain4j.MeteredStreamingChatModel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.util.ClassUtils;

/** LangChain4j's models: of its starters, or made by the application. */
final class LangChain4jModels implements ModelKind {
    private static final String MODELS = "dev.langchain4j.model.";

    @Override
    public boolean has(Object bean) {
        return bean instanceof ChatModel
                || bean instanceof StreamingChatModel
                || ClassUtils.getAllInterfacesForClassAsSet(bean.getClass()).stream()
                        .anyMatch(LangChain4jModels::isOther);
    }

    @Override
    public Map<Class<?>, Object> metered(Object bean, CallMeter meter) {
        Map<Class<?>, Object> metered = new LinkedHashMap<>();
        if (bean instanceof ChatModel model) {
            metered.put(ChatModel.class, MeteredChatModel.wrap(model, meter));
        }
        if (bean instanceof StreamingChatModel model) {
            metered.put(StreamingChatModel.class, MeteredStreamingChatModel.wrap(model, meter));
        }
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(bean.getClass())) {
            if (isOther(type)) {
                metered.put(type, wrap(type, bean, meter));
            }
        }
        return metered;
    }

    private static boolean isOther(Class<?> type) {
        String name = type.getName();
        return name.startsWith(MODELS)
                && !name.startsWith(MODELS + "chat.")
                && name.endsWith("Model")
                && !type.getSimpleName().startsWith("Batch");
    }

    private static <M> M wrap(Class<M> type, Object bean, CallMeter meter) {
        return MeteredModel.wrap(type, type.cast(bean), meter);
    }
}
