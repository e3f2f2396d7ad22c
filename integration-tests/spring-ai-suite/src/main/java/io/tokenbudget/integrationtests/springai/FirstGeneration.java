package io.tokenbudget.integrationtests.springai;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.testkit.matrix.ModelSpec;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.anthropic.api.AnthropicApi;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.api.OpenAiApi;
import org.springframework.ai.retry.TransientAiException;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.retry.support.RetryTemplate;

/** Spring AI 1.x: its own HTTP clients, Spring Retry around them, and the tool loop inside the model. */
final class FirstGeneration implements Generation {
    private static final long BACK_OFF_MILLIS = 1;

    @Override
    public ChatModel model(ModelSpec spec, ToolCallingManager tools, ObservationRegistry listeners) {
        return switch (spec.provider()) {
            case OPENAI -> openAi(spec, tools, listeners);
            case ANTHROPIC -> anthropic(spec, tools, listeners);
            case OLLAMA -> FirstOllama.model(spec, tools, retries(spec), listeners);
            case GEMINI -> throw new IllegalArgumentException("no model of Gemini is tried");
        };
    }

    private static ChatModel openAi(ModelSpec spec, ToolCallingManager tools, ObservationRegistry listeners) {
        OpenAiApi api = OpenAiApi.builder()
                .baseUrl(spec.baseUrl())
                .apiKey(spec.apiKey())
                .restClientBuilder(SpringClients.blocking(spec))
                .webClientBuilder(SpringClients.streaming(spec))
                .build();
        return OpenAiChatModel.builder()
                .openAiApi(api)
                .defaultOptions(OpenAiChatOptions.builder()
                        .model(spec.modelName())
                        .maxTokens(spec.maxOutputTokens())
                        .streamUsage(true)
                        .build())
                .toolCallingManager(tools)
                .retryTemplate(retries(spec))
                .observationRegistry(listeners)
                .build();
    }

    private static ChatModel anthropic(ModelSpec spec, ToolCallingManager tools, ObservationRegistry listeners) {
        AnthropicApi api = AnthropicApi.builder()
                .baseUrl(spec.baseUrl())
                .apiKey(spec.apiKey())
                .restClientBuilder(SpringClients.blocking(spec))
                .webClientBuilder(SpringClients.streaming(spec))
                .build();
        Integer bound = spec.maxOutputTokens();
        return AnthropicChatModel.builder()
                .anthropicApi(api)
                .defaultOptions(AnthropicChatOptions.builder()
                        .model(spec.modelName())
                        .maxTokens(bound == null ? ANTHROPIC_MUST_HAVE_A_BOUND : bound)
                        .build())
                .toolCallingManager(tools)
                .retryTemplate(retries(spec))
                .observationRegistry(listeners)
                .build();
    }

    private static RetryTemplate retries(ModelSpec spec) {
        return RetryTemplate.builder()
                .maxAttempts(spec.retries() + 1)
                .fixedBackoff(BACK_OFF_MILLIS)
                .retryOn(TransientAiException.class)
                .build();
    }

    @Override
    public ChatClient client(ChatModel model, ToolCallingManager tools) {
        return ChatClient.create(model);
    }

    /** The next piece may be the one with the usage. */
    @Override
    public int piecesHeldBack() {
        return 1;
    }

    @Override
    public ChatOptions withTools(ChatModel model, ToolCallback... tools) {
        return ToolCallingChatOptions.builder().toolCallbacks(tools).build();
    }
}
