package io.tokenbudget.integrationtests.usage.springai;

import com.azure.ai.openai.OpenAIClientBuilder;
import com.azure.core.credential.AzureKeyCredential;
import com.azure.core.http.HttpClient;
import com.google.genai.Client;
import com.google.genai.types.HttpOptions;
import io.tokenbudget.integrationtests.usage.ProviderClient;
import io.tokenbudget.integrationtests.usage.ProviderUsageContract;
import java.net.MalformedURLException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.anthropic.api.AnthropicApi;
import org.springframework.ai.azure.openai.AzureOpenAiChatModel;
import org.springframework.ai.azure.openai.AzureOpenAiChatOptions;
import org.springframework.ai.bedrock.converse.BedrockChatOptions;
import org.springframework.ai.bedrock.converse.BedrockProxyChatModel;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.deepseek.DeepSeekChatModel;
import org.springframework.ai.deepseek.DeepSeekChatOptions;
import org.springframework.ai.deepseek.api.DeepSeekApi;
import org.springframework.ai.google.genai.GoogleGenAiChatModel;
import org.springframework.ai.google.genai.GoogleGenAiChatOptions;
import org.springframework.ai.minimax.MiniMaxChatModel;
import org.springframework.ai.minimax.MiniMaxChatOptions;
import org.springframework.ai.minimax.api.MiniMaxApi;
import org.springframework.ai.mistralai.MistralAiChatModel;
import org.springframework.ai.mistralai.MistralAiChatOptions;
import org.springframework.ai.mistralai.api.MistralAiApi;
import org.springframework.ai.ollama.OllamaChatModel;
import org.springframework.ai.ollama.api.OllamaApi;
import org.springframework.ai.ollama.api.OllamaChatOptions;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.openai.api.OpenAiApi;
import org.springframework.ai.openaisdk.OpenAiSdkChatModel;
import org.springframework.ai.openaisdk.OpenAiSdkChatOptions;
import org.springframework.ai.zhipuai.ZhiPuAiChatModel;
import org.springframework.ai.zhipuai.ZhiPuAiChatOptions;
import org.springframework.ai.zhipuai.api.ZhiPuAiApi;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeAsyncClient;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;

@DisplayName("C4 usage truth: Spring AI 1.1 and what each provider bills")
class FirstGenerationTest extends ProviderUsageContract {
    private static final String KEY = "key";
    private static final String MODEL = "a-model";
    private static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret"));

    @Override
    protected String line() {
        return "Spring AI 1.1";
    }

    @Override
    protected List<ProviderClient> clients() {
        List<ProviderClient> clients = new ArrayList<>();
        for (String provider : List.of("openai", "groq", "openrouter", "xai", "perplexity", "no-usage", "no-choices")) {
            clients.addAll(Asking.of(provider, FirstGenerationTest::openAi));
        }
        clients.addAll(Asking.of("openai", FirstGenerationTest::openAiSdk));
        clients.addAll(Asking.of("azure-openai", FirstGenerationTest::azure));
        clients.addAll(Asking.of("anthropic", FirstGenerationTest::anthropic));
        clients.addAll(Asking.of("gemini", FirstGenerationTest::gemini));
        clients.addAll(Asking.of("ollama", FirstGenerationTest::ollama));
        clients.addAll(Asking.of("mistral", FirstGenerationTest::mistral));
        clients.addAll(Asking.of("amazon-bedrock", FirstGenerationTest::bedrock));
        clients.addAll(Asking.of("deepseek", FirstGenerationTest::deepSeek));
        clients.addAll(Asking.of("minimax", FirstGenerationTest::miniMax));
        clients.addAll(Asking.of("zhipu", FirstGenerationTest::zhiPu));
        return clients;
    }

    private static ChatModel openAi(String baseUrl) {
        return OpenAiChatModel.builder()
                .openAiApi(OpenAiApi.builder().baseUrl(baseUrl).apiKey(KEY).build())
                .defaultOptions(OpenAiChatOptions.builder()
                        .model(MODEL)
                        .streamUsage(true)
                        .build())
                .build();
    }

    private static ChatModel openAiSdk(String baseUrl) {
        return new OpenAiSdkChatModel(OpenAiSdkChatOptions.builder()
                .baseUrl(baseUrl + "/v1")
                .apiKey(KEY)
                .model(MODEL)
                .build());
    }

    private static ChatModel azure(String baseUrl) {
        HttpClient real = HttpClient.createDefault();
        return AzureOpenAiChatModel.builder()
                .openAIClientBuilder(new OpenAIClientBuilder()
                        .endpoint(baseUrl.replace("http:", "https:"))
                        .credential(new AzureKeyCredential(KEY))
                        .httpClient(request -> {
                            // Azure's client gives its key to no address without TLS: it is made to believe.
                            try {
                                request.setUrl(
                                        URI.create(request.getUrl().toString().replace("https:", "http:"))
                                                .toURL());
                            } catch (MalformedURLException e) {
                                throw new IllegalStateException(e);
                            }
                            return real.send(request);
                        }))
                .defaultOptions(AzureOpenAiChatOptions.builder()
                        .deploymentName(MODEL)
                        .streamUsage(true)
                        .build())
                .build();
    }

    private static ChatModel anthropic(String baseUrl) {
        return AnthropicChatModel.builder()
                .anthropicApi(
                        AnthropicApi.builder().baseUrl(baseUrl).apiKey(KEY).build())
                .defaultOptions(AnthropicChatOptions.builder()
                        .model(MODEL)
                        .maxTokens(1000)
                        .build())
                .build();
    }

    private static ChatModel gemini(String baseUrl) {
        return GoogleGenAiChatModel.builder()
                .genAiClient(Client.builder()
                        .apiKey(KEY)
                        .httpOptions(HttpOptions.builder().baseUrl(baseUrl).build())
                        .build())
                .defaultOptions(GoogleGenAiChatOptions.builder().model(MODEL).build())
                .build();
    }

    private static ChatModel ollama(String baseUrl) {
        return OllamaChatModel.builder()
                .ollamaApi(OllamaApi.builder().baseUrl(baseUrl).build())
                .defaultOptions(OllamaChatOptions.builder().model(MODEL).build())
                .build();
    }

    private static ChatModel mistral(String baseUrl) {
        return MistralAiChatModel.builder()
                .mistralAiApi(
                        MistralAiApi.builder().baseUrl(baseUrl).apiKey(KEY).build())
                .defaultOptions(MistralAiChatOptions.builder().model(MODEL).build())
                .build();
    }

    private static ChatModel bedrock(String baseUrl) {
        return BedrockProxyChatModel.builder()
                .bedrockRuntimeClient(BedrockRuntimeClient.builder()
                        .endpointOverride(URI.create(baseUrl))
                        .credentialsProvider(CREDENTIALS)
                        .region(Region.EU_CENTRAL_1)
                        .build())
                .bedrockRuntimeAsyncClient(BedrockRuntimeAsyncClient.builder()
                        .httpClientBuilder(NettyNioAsyncHttpClient.builder().protocol(Protocol.HTTP1_1))
                        .endpointOverride(URI.create(baseUrl))
                        .credentialsProvider(CREDENTIALS)
                        .region(Region.EU_CENTRAL_1)
                        .build())
                .defaultOptions(BedrockChatOptions.builder().model(MODEL).build())
                .build();
    }

    private static ChatModel deepSeek(String baseUrl) {
        return DeepSeekChatModel.builder()
                .deepSeekApi(DeepSeekApi.builder().baseUrl(baseUrl).apiKey(KEY).build())
                .defaultOptions(DeepSeekChatOptions.builder().model(MODEL).build())
                .build();
    }

    private static ChatModel miniMax(String baseUrl) {
        return new MiniMaxChatModel(
                new MiniMaxApi(baseUrl, KEY),
                MiniMaxChatOptions.builder().model(MODEL).build());
    }

    private static ChatModel zhiPu(String baseUrl) {
        return new ZhiPuAiChatModel(
                ZhiPuAiApi.builder().baseUrl(baseUrl).apiKey(KEY).build(),
                ZhiPuAiChatOptions.builder().model(MODEL).build());
    }
}
