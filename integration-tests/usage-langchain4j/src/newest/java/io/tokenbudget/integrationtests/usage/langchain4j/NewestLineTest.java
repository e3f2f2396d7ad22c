package io.tokenbudget.integrationtests.usage.langchain4j;

import static io.tokenbudget.integrationtests.usage.langchain4j.Asking.blocking;
import static io.tokenbudget.integrationtests.usage.langchain4j.Asking.streaming;

import com.ibm.watsonx.ai.core.auth.Authenticator;
import dev.langchain4j.model.bedrock.BedrockChatModel;
import dev.langchain4j.model.bedrock.BedrockStreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesStreamingChatModel;
import dev.langchain4j.model.openaiofficial.OpenAiOfficialChatModel;
import dev.langchain4j.model.openaiofficial.OpenAiOfficialStreamingChatModel;
import dev.langchain4j.model.watsonx.WatsonxChatModel;
import dev.langchain4j.model.watsonx.WatsonxStreamingChatModel;
import io.tokenbudget.integrationtests.usage.ProviderClient;
import io.tokenbudget.integrationtests.usage.ProviderUsageContract;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeAsyncClient;
import software.amazon.awssdk.services.bedrockruntime.BedrockRuntimeClient;

@DisplayName("C4 usage truth: LangChain4j 1.19 and what each provider bills")
class NewestLineTest extends ProviderUsageContract {
    private static final String KEY = "key";
    private static final String MODEL = "a-model";
    private static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret"));

    @Override
    protected String line() {
        return "LangChain4j 1.19";
    }

    @Override
    protected List<ProviderClient> clients() {
        List<ProviderClient> clients = new ArrayList<>(CommonClients.all());
        clients.addAll(List.of(
                blocking("openai", baseUrl -> OpenAiOfficialChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                streaming("openai", baseUrl -> OpenAiOfficialStreamingChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                blocking("openai-responses", baseUrl -> OpenAiResponsesChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                streaming("openai-responses", baseUrl -> OpenAiResponsesStreamingChatModel.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                blocking("gemini", baseUrl -> GoogleAiGeminiChatModel.builder()
                        .baseUrl(baseUrl + "/v1beta")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                streaming("gemini", baseUrl -> GoogleAiGeminiStreamingChatModel.builder()
                        .baseUrl(baseUrl + "/v1beta")
                        .apiKey(KEY)
                        .modelName(MODEL)
                        .build()),
                blocking("amazon-bedrock", baseUrl -> BedrockChatModel.builder()
                        .client(BedrockRuntimeClient.builder()
                                .endpointOverride(URI.create(baseUrl))
                                .credentialsProvider(CREDENTIALS)
                                .region(Region.EU_CENTRAL_1)
                                .build())
                        .modelId(MODEL)
                        .build()),
                streaming("amazon-bedrock", baseUrl -> BedrockStreamingChatModel.builder()
                        .client(BedrockRuntimeAsyncClient.builder()
                                .httpClientBuilder(
                                        NettyNioAsyncHttpClient.builder().protocol(Protocol.HTTP1_1))
                                .endpointOverride(URI.create(baseUrl))
                                .credentialsProvider(CREDENTIALS)
                                .region(Region.EU_CENTRAL_1)
                                .build())
                        .modelId(MODEL)
                        .build()),
                blocking("watsonx", baseUrl -> WatsonxChatModel.builder()
                        .baseUrl(baseUrl)
                        .authenticator(token())
                        .projectId("project")
                        .modelName(MODEL)
                        .build()),
                streaming("watsonx", baseUrl -> WatsonxStreamingChatModel.builder()
                        .baseUrl(baseUrl)
                        .authenticator(token())
                        .projectId("project")
                        .modelName(MODEL)
                        .build())));
        return clients;
    }

    private static Authenticator token() {
        return new Authenticator() {
            @Override
            public String token() {
                return KEY;
            }

            @Override
            public CompletableFuture<String> asyncToken() {
                return CompletableFuture.completedFuture(KEY);
            }
        };
    }
}
