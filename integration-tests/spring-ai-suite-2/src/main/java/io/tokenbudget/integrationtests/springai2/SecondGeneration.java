package io.tokenbudget.integrationtests.springai2;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.integrationtests.springai.Generation;
import io.tokenbudget.integrationtests.springai.SpringClients;
import io.tokenbudget.testkit.matrix.ModelSpec;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.ollama.OllamaChatModel;
import org.springframework.ai.ollama.api.OllamaApi;
import org.springframework.ai.ollama.api.OllamaChatOptions;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.retry.TransientAiException;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.HttpHeaders;

/** Spring AI 2.0: the vendors' SDKs with their own retries where there is one, and no tool loop in the model. */
public final class SecondGeneration implements Generation {
    /** The SDK has one time for waiting for bytes and for the whole call; the first is to end it. */
    private static final int CALL_LASTS_LONGER = 4;

    @Override
    public ChatModel model(ModelSpec spec, ToolCallingManager tools, ObservationRegistry listeners) {
        return switch (spec.provider()) {
            case OPENAI -> openAi(spec, listeners);
            case ANTHROPIC -> anthropic(spec, listeners);
            case OLLAMA -> ollama(spec, listeners);
            case GEMINI -> throw new IllegalArgumentException("no model of Gemini is tried");
        };
    }

    private static ChatModel openAi(ModelSpec spec, ObservationRegistry listeners) {
        OpenAiChatOptions options = OpenAiChatOptions.builder()
                .baseUrl(spec.baseUrl() + "/v1")
                .apiKey(spec.apiKey())
                .model(spec.modelName())
                .maxTokens(spec.maxOutputTokens())
                .maxRetries(spec.retries())
                .timeout(spec.timeout().multipliedBy(CALL_LASTS_LONGER))
                .build();
        return OpenAiChatModel.builder()
                .options(options)
                .httpClientBuilderCustomizer(http -> http.interceptor(timingOut(spec)))
                .observationRegistry(listeners)
                .build();
    }

    private static ChatModel anthropic(ModelSpec spec, ObservationRegistry listeners) {
        Integer bound = spec.maxOutputTokens();
        AnthropicChatOptions options = AnthropicChatOptions.builder()
                .baseUrl(spec.baseUrl())
                .apiKey(spec.apiKey())
                .model(spec.modelName())
                .maxTokens(bound == null ? ANTHROPIC_MUST_HAVE_A_BOUND : bound)
                .maxRetries(spec.retries())
                .timeout(spec.timeout().multipliedBy(CALL_LASTS_LONGER))
                .build();
        return AnthropicChatModel.builder()
                .options(options)
                .httpClientBuilderCustomizer(http -> http.interceptor(timingOut(spec)))
                .observationRegistry(listeners)
                .build();
    }

    private static ChatModel ollama(ModelSpec spec, ObservationRegistry listeners) {
        String bearer = "Bearer " + spec.apiKey();
        OllamaApi api = OllamaApi.builder()
                .baseUrl(spec.baseUrl())
                .restClientBuilder(SpringClients.blocking(spec).defaultHeader(HttpHeaders.AUTHORIZATION, bearer))
                .webClientBuilder(SpringClients.streaming(spec).defaultHeader(HttpHeaders.AUTHORIZATION, bearer))
                .build();
        RetryPolicy retries = RetryPolicy.builder()
                .maxRetries(spec.retries())
                .delay(Duration.ofMillis(1))
                .includes(TransientAiException.class)
                .build();
        return OllamaChatModel.builder()
                .ollamaApi(api)
                .options(OllamaChatOptions.builder()
                        .model(spec.modelName())
                        .numPredict(spec.maxOutputTokens())
                        .build())
                .retryTemplate(new RetryTemplate(retries))
                .observationRegistry(listeners)
                .build();
    }

    private static Interceptor timingOut(ModelSpec spec) {
        int millis = Math.toIntExact(spec.timeout().toMillis());
        return chain -> withOneMessageForTimeOuts(chain, millis);
    }

    /** Which message OkHttp gives to a time-out is a matter of luck, and outcomes are compared. */
    private static Response withOneMessageForTimeOuts(Interceptor.Chain chain, int millis) throws IOException {
        try {
            return chain.withReadTimeout(millis, TimeUnit.MILLISECONDS).proceed(chain.request());
        } catch (SocketTimeoutException timeOut) {
            throw new SocketTimeoutException("no answer in time");
        }
    }

    @Override
    public ChatClient client(ChatModel model, ToolCallingManager tools) {
        return ChatClient.builder(
                        model,
                        ObservationRegistry.NOOP,
                        null,
                        null,
                        ToolCallingAdvisor.builder().toolCallingManager(tools))
                .build();
    }

    @Override
    public int piecesHeldBack() {
        return 0;
    }

    @Override
    public ChatOptions withTools(ChatModel model, ToolCallback... tools) {
        ToolCallingChatOptions own = (ToolCallingChatOptions) model.getOptions();
        return own.mutate().toolCallbacks(tools).build();
    }
}
