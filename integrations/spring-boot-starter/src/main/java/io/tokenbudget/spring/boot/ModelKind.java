package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The models of one framework. Stateless. */
interface ModelKind {
    /** Whether {@code bean} is a model of this framework. */
    boolean has(Object bean);

    /**
     * What meters {@code bean}, a model of this framework, for each interface by which the framework asks it.
     *
     * @param bean as it was made, which is called
     */
    Map<Class<?>, Object> metered(Object bean, CallMeter meter);

    /**
     * Meters {@code bean} where it is, because nothing can be put in its place.
     *
     * @return whether it could be done
     */
    default boolean meterInside(Object bean, CallMeter meter) {
        return false;
    }

    /**
     * Which of the {@linkplain #metered interfaces} meters a method of the model's own class, because what it takes and returns is
     * a question and its answer: the invocation handler of what is metered for it takes that method too.
     *
     * @return null if what the method does cannot be told
     */
    default @Nullable Class<?> askedBy(Method own, Set<Class<?>> metered) {
        return null;
    }

    /** Whether {@code bean} may be left as it is, because what it does is metered at other objects. */
    default boolean isMeteredElsewhere(Object bean) {
        return false;
    }

    /** The kinds that the application has. */
    static List<ModelKind> present(ClassLoader loader) {
        List<ModelKind> kinds = new ArrayList<>();
        if (ClassUtils.isPresent("org.springframework.ai.chat.model.ChatModel", loader)) {
            kinds.add(new SpringAiModels());
        }
        if (ClassUtils.isPresent("dev.langchain4j.model.chat.ChatModel", loader)) {
            kinds.add(new LangChain4jModels());
        }
        return List.copyOf(kinds);
    }
}
