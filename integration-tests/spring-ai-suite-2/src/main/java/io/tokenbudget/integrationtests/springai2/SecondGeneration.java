package io.tokenbudget.integrationtests.springai2;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.integrationtests.springai.Generation;
import io.tokenbudget.testkit.matrix.ModelSpec;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.ToolCallback;

/** Spring AI 2.0: the vendor's SDK with its own retries, and no tool loop in the model. */
public final class SecondGeneration implements Generation {
    /** The SDK has one time for waiting for bytes and for the whole call; the first is to end it. */
    private static final int CALL_LASTS_LONGER = 4;

    @Override
    public ChatModel openAi(ModelSpec spec, ToolCallingManager tools) {
        OpenAiChatOptions options = OpenAiChatOptions.builder()
                .baseUrl(spec.baseUrl() + "/v1")
                .apiKey(spec.apiKey())
                .model(spec.modelName())
                .maxTokens(spec.maxOutputTokens())
                .maxRetries(spec.retries())
                .timeout(spec.timeout().multipliedBy(CALL_LASTS_LONGER))
                .build();
        int millis = Math.toIntExact(spec.timeout().toMillis());
        return OpenAiChatModel.builder()
                .options(options)
                .httpClientBuilderCustomizer(
                        http -> http.interceptor(chain -> withOneMessageForTimeOuts(chain, millis)))
                .build();
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
