package io.tokenbudget.integrationtests.usage.langchain4j;

import static io.tokenbudget.integrationtests.usage.langchain4j.Asking.blocking;
import static io.tokenbudget.integrationtests.usage.langchain4j.Asking.streaming;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpClientProvider;
import com.azure.core.util.HttpClientOptions;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.azure.AzureOpenAiChatModel;
import dev.langchain4j.model.azure.AzureOpenAiStreamingChatModel;
import dev.langchain4j.model.mistralai.MistralAiChatModel;
import dev.langchain4j.model.mistralai.MistralAiStreamingChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import io.tokenbudget.integrationtests.usage.ProviderClient;
import java.net.MalformedURLException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The clients that every line has, in code that compiles against all of them. */
final class CommonClients {
    private static final String KEY = "key";
    private static final String MODEL = "a-model";

    /** OpenAI itself, and providers that LangChain4j reaches through its client. */
    private static final List<String> THROUGH_THE_OPENAI_CLIENT =
            List.of("openai", "deepseek", "minimax", "zhipu", "groq", "openrouter", "xai", "perplexity", "no-usage", "no-choices");

    private CommonClients() {}

    static List<ProviderClient> all() {
        List<ProviderClient> clients = new ArrayList<>(List.of(
                blocking("anthropic", baseUrl -> AnthropicChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                streaming("anthropic", baseUrl -> AnthropicStreamingChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                blocking("ollama", baseUrl -> OllamaChatModel.builder()
                        .baseUrl(baseUrl)
                        .modelName(MODEL)
                        .build()),
                streaming("ollama", baseUrl -> OllamaStreamingChatModel.builder()
                        .baseUrl(baseUrl)
                        .modelName(MODEL)
                        .build()),
                blocking("mistral", baseUrl -> MistralAiChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                streaming("mistral", baseUrl -> MistralAiStreamingChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                blocking("azure-openai", baseUrl -> AzureOpenAiChatModel.builder()
                        .endpoint(overTls(baseUrl))
                        .httpClientProvider(new WithoutTls())
                        .apiKey(KEY)
                        .deploymentName(MODEL)
                        .build()),
                streaming("azure-openai", baseUrl -> AzureOpenAiStreamingChatModel.builder()
                        .endpoint(overTls(baseUrl))
                        .httpClientProvider(new WithoutTls())
                        .apiKey(KEY)
                        .deploymentName(MODEL)
                        .build())));
        for (String provider : THROUGH_THE_OPENAI_CLIENT) {
            clients.add(blocking(provider, baseUrl -> OpenAiChatModel.builder()
                    .baseUrl(baseUrl + "/v1")
                    .apiKey(KEY)
                    .modelName(MODEL)
                    .build()));
            clients.add(streaming(provider, baseUrl -> OpenAiStreamingChatModel.builder()
                    .baseUrl(baseUrl + "/v1")
                    .apiKey(KEY)
                    .modelName(MODEL)
                    .build()));
        }
        return clients;
    }

    private static String overTls(String baseUrl) {
        return baseUrl.replace("http:", "https:");
    }

    /** Azure's client gives its key to no address without TLS: it is made to believe. */
    private static final class WithoutTls implements HttpClientProvider {
        @Override
        public HttpClient createInstance() {
            HttpClient real = HttpClient.createDefault();
            return request -> {
                try {
                    request.setUrl(URI.create(request.getUrl().toString().replace("https:", "http:"))
                            .toURL());
                } catch (MalformedURLException e) {
                    throw new IllegalStateException(e);
                }
                return real.send(request);
            };
        }

        @Override
        public HttpClient createInstance(HttpClientOptions options) {
            return createInstance();
        }
    }
}
