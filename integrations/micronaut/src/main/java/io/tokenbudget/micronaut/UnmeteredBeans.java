package io.tokenbudget.micronaut;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.image.ImageModel;
import dev.langchain4j.model.language.LanguageModel;
import dev.langchain4j.model.language.StreamingLanguageModel;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.scoring.ScoringModel;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.AnnotationUtil;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.inject.BeanDefinition;
import io.tokenbudget.core.Notices;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/** The model beans that are not metered, named when the context starts. Thread-safe. */
@Context
@Requires(classes = ChatModel.class)
final class UnmeteredBeans {
    /** Later versions have more: such are named when they are made. */
    private static final List<Class<?>> TYPES = List.of(
            ChatModel.class,
            StreamingChatModel.class,
            EmbeddingModel.class,
            ImageModel.class,
            LanguageModel.class,
            StreamingLanguageModel.class,
            ModerationModel.class,
            ScoringModel.class);

    private final Notices notices;
    private final Map<String, String> classes = new ConcurrentSkipListMap<>();

    UnmeteredBeans(BeanContext beans, Notices notices) {
        this.notices = notices;
        try {
            for (Class<?> type : TYPES) {
                beans.getBeanDefinitions(type).stream()
                        .filter(definition -> !ModelTypes.canBeReplaced(definition))
                        .forEach(this::isNew);
            }
        } catch (RuntimeException | LinkageError fault) {
            notices.warn("which model beans are not metered cannot be told: " + fault);
        }
        if (!classes.isEmpty()) {
            warn(new TreeSet<>(classes.values()));
        }
    }

    void add(BeanDefinition<?> definition) {
        if (isNew(definition)) {
            warn(Set.of(definition.getBeanType().getName()));
        }
    }

    private boolean isNew(BeanDefinition<?> definition) {
        return classes.put(name(definition), definition.getBeanType().getName()) == null;
    }

    private void warn(Set<String> which) {
        notices.warn(
                "not metered, because they are beans by their class and not by an interface of LangChain4j: "
                        + String.join(", ", which)
                        + "; let the factory's method return the interface, or expose it alone: @Bean(typed = ChatModel.class)");
    }

    private static String name(BeanDefinition<?> definition) {
        return definition
                .stringValue(AnnotationUtil.NAMED)
                .filter(name -> !name.isEmpty())
                .orElseGet(() -> NameUtils.decapitalize(definition.getBeanType().getSimpleName()));
    }

    /** Their classes, by the name that qualifies the bean; by their class's where nothing does. */
    Map<String, String> byName() {
        return new TreeMap<>(classes);
    }
}
