package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.example.EchoChatModel;
import org.junit.jupiter.api.Test;

class LoadedModelsTest {
    /** In this test everything is in the loader of the agent itself, which is never looked at. */
    private static Class<?> inAnApplication(String name) throws ClassNotFoundException {
        return Class.forName(name, false, new FrameworkLoader());
    }

    @Test
    void findsClassesBelowAHookedType() throws Exception {
        Class<?> abstractEmbedding = inAnApplication("dev.langchain4j.model.embedding.DimensionAwareEmbeddingModel");
        Class<?> manager = inAnApplication("org.springframework.ai.model.tool.DefaultToolCallingManager");
        Class<?> request = inAnApplication("dev.langchain4j.model.chat.request.ChatRequest");

        assertThat(LoadedModels.among(new Class<?>[] {abstractEmbedding, manager, request, String.class, int[].class}))
                .containsExactly(abstractEmbedding, manager);
    }

    @Test
    void leavesIgnoredClassesAlone() {
        assertThat(LoadedModels.among(new Class<?>[] {EchoChatModel.class})).isEmpty();
    }
}
