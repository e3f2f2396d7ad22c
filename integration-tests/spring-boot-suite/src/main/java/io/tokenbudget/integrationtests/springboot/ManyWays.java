package io.tokenbudget.integrationtests.springboot;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiEmbeddingModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application that has its models injected in every way that Spring AI's documentation shows. */
@SpringBootConfiguration
@EnableAutoConfiguration
class ManyWays {
    /** What stands in the prompt of every call. */
    static final String QUESTION = "How many ways are there?";

    @Bean
    ChatClient fromBuilder(ChatClient.Builder builder) {
        return builder.build();
    }

    /** As the documentation has it for several models. */
    @Bean
    ChatClient ofOneModel(OpenAiChatModel model) {
        return ChatClient.create(model);
    }

    /** A model of the application's own, around another. */
    @Bean(defaultCandidate = false)
    ChatModel decorated(OpenAiChatModel model) {
        return new Decorator(model);
    }

    /** By name of the way, one call each. */
    @Bean
    Ways ways(
            ChatClient fromBuilder,
            ChatClient ofOneModel,
            List<ChatModel> models,
            OpenAiChatModel byClass,
            ObjectProvider<ChatModel> provided,
            EmbeddingModel embedding,
            OpenAiEmbeddingModel embeddingByClass,
            @Qualifier("decorated") ChatModel decorated) {
        return new Ways(Map.ofEntries(
                Map.entry("ChatClient of the builder", question -> ask(fromBuilder, question)),
                Map.entry("ChatClient of one model", question -> ask(ofOneModel, question)),
                Map.entry(
                        "ChatClient around what was injected by class",
                        question -> ask(ChatClient.create(byClass), question)),
                Map.entry("list of models", question -> models.get(0).call(question)),
                Map.entry("model by class, text", byClass::call),
                Map.entry("model by class, prompt", question -> text(byClass, question)),
                Map.entry("provider of models", question -> text(provided.getObject(), question)),
                Map.entry("decorator", question -> text(decorated, question)),
                Map.entry(
                        "stream of the builder's client",
                        question -> String.join(
                                "",
                                Objects.requireNonNull(fromBuilder.prompt(question).stream()
                                        .content()
                                        .collectList()
                                        .block()))),
                Map.entry(
                        "stream of a model by class",
                        question -> String.join(
                                "",
                                Objects.requireNonNull(
                                        byClass.stream(question).collectList().block()))),
                Map.entry("embedding", question -> vector(embedding, question)),
                Map.entry("embedding by class", question -> vector(embeddingByClass, question))));
    }

    record Ways(Map<String, Function<String, String>> byName) {}

    private static String ask(ChatClient client, String question) {
        return String.valueOf(client.prompt(question).call().content());
    }

    private static String text(ChatModel model, String question) {
        return String.valueOf(
                model.call(new Prompt(question)).getResult().getOutput().getText());
    }

    private static String vector(EmbeddingModel model, String text) {
        return model.embedForResponse(List.of(text)).getResult().getOutput().length + " numbers";
    }
}
