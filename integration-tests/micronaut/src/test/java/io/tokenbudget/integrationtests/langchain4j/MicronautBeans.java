package io.tokenbudget.integrationtests.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.image.ImageModel;
import dev.langchain4j.model.language.LanguageModel;
import dev.langchain4j.model.language.StreamingLanguageModel;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.scoring.ScoringModel;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.context.annotation.Prototype;
import io.tokenbudget.core.metering.CallMeter;

/** Makes a model of a matrix a bean, so that Micronaut's module meters it. */
final class MicronautBeans {
    private final ApplicationContext context;

    MicronautBeans(CallMeter meter) {
        this.context = ApplicationContext.builder().singletons(meter).start();
    }

    <M> M bean(Class<M> type, M model) {
        return context.createBean(type, model);
    }

    @Factory
    static class Given {
        @Prototype
        ChatModel chat(@Parameter ChatModel model) {
            return model;
        }

        @Prototype
        StreamingChatModel streaming(@Parameter StreamingChatModel model) {
            return model;
        }

        @Prototype
        EmbeddingModel embedding(@Parameter EmbeddingModel model) {
            return model;
        }

        @Prototype
        ImageModel image(@Parameter ImageModel model) {
            return model;
        }

        @Prototype
        LanguageModel language(@Parameter LanguageModel model) {
            return model;
        }

        @Prototype
        StreamingLanguageModel streamingLanguage(@Parameter StreamingLanguageModel model) {
            return model;
        }

        @Prototype
        ModerationModel moderation(@Parameter ModerationModel model) {
            return model;
        }

        @Prototype
        ScoringModel scoring(@Parameter ScoringModel model) {
            return model;
        }
    }
}
