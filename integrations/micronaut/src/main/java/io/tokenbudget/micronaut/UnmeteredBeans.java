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
import io.micronaut.inject.BeanDefinition;
import io.tokenbudget.core.Notices;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

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
    private final Set<String> names = new ConcurrentSkipListSet<>();

    UnmeteredBeans(BeanContext beans, Notices notices) {
        this.notices = notices;
        try {
            for (Class<?> type : TYPES) {
                beans.getBeanDefinitions(type).stream()
                        .filter(definition -> !ModelTypes.canBeReplaced(definition))
                        .forEach(definition -> names.add(name(definition)));
            }
        } catch (RuntimeException | LinkageError fault) {
            notices.warn("which model beans are not metered cannot be told: " + fault);
        }
        if (!names.isEmpty()) {
            warn(names);
        }
    }

    void add(BeanDefinition<?> definition) {
        String name = name(definition);
        if (names.add(name)) {
            warn(Set.of(name));
        }
    }

    private void warn(Set<String> which) {
        notices.warn(
                "not metered, because they are beans by their class and not by an interface of LangChain4j: "
                        + String.join(", ", which)
                        + "; let the factory's method return the interface, or expose it alone: @Bean(typed = ChatModel.class)");
    }

    private static String name(BeanDefinition<?> definition) {
        return definition.getBeanType().getName();
    }

    /** By class. */
    Set<String> names() {
        return names;
    }
}
