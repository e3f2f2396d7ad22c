package io.tokenbudget.integrationtests.springai;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.testkit.matrix.ModelSpec;
import java.lang.reflect.Method;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.ollama.OllamaChatModel;
import org.springframework.ai.ollama.api.OllamaApi;
import org.springframework.http.HttpHeaders;
import org.springframework.retry.support.RetryTemplate;

/** Ollama's model of Spring AI 1.x, whose options are of another type in 1.0 than in 1.1. */
final class FirstOllama {
    private static final String OPTIONS = "org.springframework.ai.ollama.api.";

    private FirstOllama() {}

    static ChatModel model(
            ModelSpec spec, ToolCallingManager tools, RetryTemplate retries, ObservationRegistry listeners) {
        String bearer = "Bearer " + spec.apiKey();
        OllamaApi api = OllamaApi.builder()
                .baseUrl(spec.baseUrl())
                .restClientBuilder(SpringClients.blocking(spec).defaultHeader(HttpHeaders.AUTHORIZATION, bearer))
                .webClientBuilder(SpringClients.streaming(spec).defaultHeader(HttpHeaders.AUTHORIZATION, bearer))
                .build();
        OllamaChatModel.Builder builder = OllamaChatModel.builder()
                .ollamaApi(api)
                .toolCallingManager(tools)
                .retryTemplate(retries)
                .observationRegistry(listeners);
        try {
            withOptions(builder, spec);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return builder.build();
    }

    private static void withOptions(OllamaChatModel.Builder model, ModelSpec spec) throws ReflectiveOperationException {
        String name = Line.present() == Line.V1_0 ? "OllamaOptions" : "OllamaChatOptions";
        Class<?> type = Class.forName(OPTIONS + name);
        Object options = type.getMethod("builder").invoke(null);
        Class<?> builder = options.getClass();
        builder.getMethod("model", String.class).invoke(options, spec.modelName());
        builder.getMethod("numPredict", Integer.class).invoke(options, spec.maxOutputTokens());
        Method defaults = OllamaChatModel.Builder.class.getMethod("defaultOptions", type);
        defaults.invoke(model, builder.getMethod("build").invoke(options));
    }
}
