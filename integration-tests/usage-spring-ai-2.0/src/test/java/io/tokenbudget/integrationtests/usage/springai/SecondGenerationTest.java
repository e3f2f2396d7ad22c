package io.tokenbudget.integrationtests.usage.springai;

import com.google.genai.Client;
import com.google.genai.types.HttpOptions;
import io.tokenbudget.integrationtests.usage.ProviderClient;
import io.tokenbudget.integrationtests.usage.ProviderUsageContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.google.genai.GoogleGenAiChatModel;
import org.springframework.ai.google.genai.GoogleGenAiChatOptions;
import org.springframework.ai.ollama.OllamaChatModel;
import org.springframework.ai.ollama.api.OllamaApi;
import org.springframework.ai.ollama.api.OllamaChatOptions;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;

@DisplayName("C4 usage truth: Spring AI 2.0 and what each provider bills")
class SecondGenerationTest extends ProviderUsageContract {
    private static final String KEY = "key";
    private static final String MODEL = "a-model";

    @Override
    protected String line() {
        return "Spring AI 2.0";
    }

    @Override
    protected List<ProviderClient> clients() {
        List<ProviderClient> clients = new ArrayList<>();
        for (String provider : List.of(
                "openai",
                "deepseek",
                "minimax",
                "zhipu",
                "groq",
                "openrouter",
                "xai",
                "perplexity",
                "no-usage",
                "no-choices")) {
            clients.addAll(Asking.of(provider, SecondGenerationTest::openAi));
        }
        clients.addAll(Asking.of("anthropic", SecondGenerationTest::anthropic));
        clients.addAll(Asking.of("gemini", SecondGenerationTest::gemini));
        clients.addAll(Asking.of("ollama", SecondGenerationTest::ollama));
        return clients;
    }

    private static ChatModel openAi(String baseUrl) {
        return OpenAiChatModel.builder()
                .options(OpenAiChatOptions.builder()
                        .baseUrl(baseUrl + "/v1")
                        .apiKey(KEY)
                        .model(MODEL)
                        .build())
                .build();
    }

    private static ChatModel anthropic(String baseUrl) {
        return AnthropicChatModel.builder()
                .options(AnthropicChatOptions.builder()
                        .baseUrl(baseUrl)
                        .apiKey(KEY)
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
                .options(GoogleGenAiChatOptions.builder().model(MODEL).build())
                .build();
    }

    private static ChatModel ollama(String baseUrl) {
        return OllamaChatModel.builder()
                .ollamaApi(OllamaApi.builder().baseUrl(baseUrl).build())
                .options(OllamaChatOptions.builder().model(MODEL).build())
                .build();
    }
}
