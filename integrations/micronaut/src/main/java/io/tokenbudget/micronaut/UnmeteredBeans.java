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
import java.util.concurrent.ConcurrentSkipListSet;

/** The model beans that are not metered, and the methods of those that are which are not, named when the context starts. Thread-safe. */
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
    private final Set<String> methods = new ConcurrentSkipListSet<>();

    UnmeteredBeans(BeanContext beans, Notices notices) {
        this.notices = notices;
        try {
            for (Class<?> type : TYPES) {
                beans.getBeanDefinitions(type).forEach(this::look);
            }
        } catch (RuntimeException | LinkageError fault) {
            notices.warn("which model beans are not metered cannot be told: " + fault);
        }
        if (!classes.isEmpty()) {
            warn(new TreeSet<>(classes.values()));
        }
        if (!methods.isEmpty()) {
            warnOfMethods(methods);
        }
    }

    private void look(BeanDefinition<?> definition) {
        if (ModelTypes.canBeReplaced(definition)) {
            methods.addAll(OwnMethods.of(ModelTypes.knownBy(definition), null));
        } else {
            isNew(definition);
        }
    }

    /** Of a bean of class {@code model}, which is metered; does not throw. */
    void addMethods(BeanDefinition<?> definition, Class<?> model) {
        try {
            Set<String> more = OwnMethods.of(ModelTypes.knownBy(definition), model);
            more.removeIf(method -> !methods.add(method));
            if (!more.isEmpty()) {
                warnOfMethods(more);
            }
        } catch (RuntimeException | LinkageError fault) {
            notices.warn("which methods of " + model.getName() + " are not metered cannot be told: " + fault);
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

    private void warnOfMethods(Set<String> which) {
        notices.warn("not counted, where they ask the model that they are methods of: " + String.join(", ", which)
                + "; let a default method of the interface, or another bean, ask it by LangChain4j's methods");
    }

    private static String name(BeanDefinition<?> definition) {
        return definition
                .stringValue(AnnotationUtil.NAMED)
                .filter(name -> !name.isEmpty())
                .orElseGet(() -> NameUtils.decapitalize(definition.getBeanType().getSimpleName()));
    }

    /**
     * Puts into {@code document} what there is: {@code unmeteredModels}, their classes by the name that qualifies the bean, or by
     * their class's where nothing does; {@code unmeteredMethods}, with their interfaces.
     */
    void tell(Map<String, ? super Object> document) {
        if (!classes.isEmpty()) {
            document.put("unmeteredModels", new TreeMap<>(classes));
        }
        if (!methods.isEmpty()) {
            document.put("unmeteredMethods", List.copyOf(methods));
        }
    }
}
