package io.tokenbudget.spring.boot;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.springai.MeteredChatModel;
import io.tokenbudget.springai.MeteredModel;
import io.tokenbudget.springai.MeteredToolCallingManager;
import io.tokenbudget.springai.ObservedChats;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.Model;
import org.springframework.ai.model.ModelRequest;
import org.springframework.ai.model.StreamingModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/**
 * Spring AI's models, and what runs their tools. The final classes of Spring AI 2 are metered by what they observe: a registry
 * of our own is put into each. Stateless.
 */
final class SpringAiModels implements ModelKind {
    private static final String SPRING_AI = "org.springframework.ai.";

    @Override
    public boolean has(Object bean) {
        return bean instanceof Model<?, ?>
                || bean instanceof StreamingModel<?, ?>
                || bean instanceof ToolCallingManager;
    }

    @Override
    public Map<Class<?>, Object> metered(Object bean, CallMeter meter) {
        Map<Class<?>, Object> metered = new LinkedHashMap<>();
        if (bean instanceof ChatModel model) {
            metered.put(ChatModel.class, MeteredChatModel.wrap(model, meter));
        }
        if (bean instanceof ToolCallingManager manager) {
            metered.put(ToolCallingManager.class, MeteredToolCallingManager.wrap(manager, meter));
        }
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(bean.getClass())) {
            if (isOther(type)) {
                metered.put(type, wrap(type, bean, meter));
            }
        }
        return metered;
    }

    private static boolean isOther(Class<?> type) {
        return type.getName().startsWith(SPRING_AI)
                && !type.getName().startsWith(SPRING_AI + "chat.")
                && type != Model.class
                && type != StreamingModel.class
                && (Model.class.isAssignableFrom(type) || StreamingModel.class.isAssignableFrom(type));
    }

    private static <M> M wrap(Class<M> type, Object bean, CallMeter meter) {
        return MeteredModel.wrap(type, type.cast(bean), meter);
    }

    /** {@code internalCall} of 1.1's chat models; {@code call(Resource)} and {@code call(String)} of others. */
    @Override
    public @Nullable Class<?> askedBy(Method own, Set<Class<?>> metered) {
        Class<?> first = own.getParameterCount() == 0 ? null : own.getParameterTypes()[0];
        if (first == null) {
            return null;
        }
        if (Prompt.class.isAssignableFrom(first)) {
            Class<?> answer = Flux.class.isAssignableFrom(own.getReturnType())
                    ? ResolvableType.forMethodReturnType(own).getGeneric(0).resolve()
                    : own.getReturnType();
            return answer == ChatResponse.class && metered.contains(ChatModel.class) ? ChatModel.class : null;
        }
        boolean isNamedSo = own.getName().equals("call") || own.getName().equals("stream");
        boolean asks = ModelRequest.class.isAssignableFrom(first)
                || (isNamedSo && own.getDeclaringClass().getName().startsWith(SPRING_AI));
        return asks
                ? metered.stream().filter(SpringAiModels::isOther).findFirst().orElse(null)
                : null;
    }

    @Override
    public boolean meterInside(Object bean, CallMeter meter) {
        // What an application's own class observes is not known to be one call to a provider.
        boolean observesEachCall = ObservedChats.areSupported()
                && bean instanceof ChatModel
                && bean.getClass().getName().startsWith(SPRING_AI);
        Field field = observesEachCall ? registryOf(bean.getClass()) : null;
        return field != null && observe(field, (ChatModel) bean, meter);
    }

    /** Since 2.0 the rounds of what runs tools are calls of their own. */
    @Override
    public boolean isMeteredElsewhere(Object bean) {
        return bean instanceof ToolCallingManager && ObservedChats.areSupported();
    }

    private static boolean observe(Field field, ChatModel model, CallMeter meter) {
        try {
            field.set(model, ObservedChats.registry(model, (ObservationRegistry) field.get(model), meter));
            return true;
        } catch (IllegalAccessException | RuntimeException closed) {
            meter.fault(
                    "putting an observation registry into " + model.getClass().getName(), closed);
            return false;
        }
    }

    private static @Nullable Field registryOf(Class<?> type) {
        Field field = ReflectionUtils.findField(type, /* name= */ null, /* type= */ ObservationRegistry.class);
        return field != null && field.trySetAccessible() ? field : null;
    }
}
