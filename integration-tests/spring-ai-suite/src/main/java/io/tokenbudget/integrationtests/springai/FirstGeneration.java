package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.ModelSpec;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
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
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.retry.support.RetryTemplate;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Spring AI 1.x: its own HTTP client, Spring Retry around it, and the tool loop inside the model. */
final class FirstGeneration implements Generation {
    private static final long BACK_OFF_MILLIS = 1;

    @Override
    public ChatModel openAi(ModelSpec spec, ToolCallingManager tools) {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(HttpClient.newHttpClient());
        requests.setReadTimeout(spec.timeout());
        OpenAiApi api = OpenAiApi.builder()
                .baseUrl(spec.baseUrl())
                .apiKey(spec.apiKey())
                .restClientBuilder(RestClient.builder()
                        .requestFactory(requests)
                        .requestInterceptor(FirstGeneration::withOneMessageForTimeOuts))
                .webClientBuilder(WebClient.builder().clientConnector(connector(spec)))
                .build();
        RetryTemplate retries = RetryTemplate.builder()
                .maxAttempts(spec.retries() + 1)
                .fixedBackoff(BACK_OFF_MILLIS)
                .retryOn(TransientAiException.class)
                .build();
        return OpenAiChatModel.builder()
                .openAiApi(api)
                .defaultOptions(OpenAiChatOptions.builder()
                        .model(spec.modelName())
                        .maxTokens(spec.maxOutputTokens())
                        .streamUsage(true)
                        .build())
                .toolCallingManager(tools)
                .retryTemplate(retries)
                .build();
    }

    /** Closes the connection of a stream that is cancelled, as the JDK's client does not. */
    private static ClientHttpConnector connector(ModelSpec spec) {
        return new ReactorClientHttpConnector(
                reactor.netty.http.client.HttpClient.newConnection().responseTimeout(spec.timeout()));
    }

    /** Which message the JDK's client gives to a time-out is a matter of luck, and outcomes are compared. */
    private static ClientHttpResponse withOneMessageForTimeOuts(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
        try {
            return execution.execute(request, body);
        } catch (HttpTimeoutException timeOut) {
            HttpTimeoutException same = new HttpTimeoutException("no answer in time");
            same.initCause(timeOut.getCause());
            throw same;
        }
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
