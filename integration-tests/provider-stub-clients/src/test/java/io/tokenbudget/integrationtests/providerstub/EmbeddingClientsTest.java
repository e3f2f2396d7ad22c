package io.tokenbudget.integrationtests.providerstub;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.googleai.GoogleAiEmbeddingModel;
import dev.langchain4j.model.ollama.OllamaEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.output.Response;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the stand-in provider's embeddings, asked by LangChain4j's clients")
class EmbeddingClientsTest {
    private static final List<TextSegment> SEGMENTS =
            List.of(TextSegment.from("one text"), TextSegment.from("another"));

    @Test
    void openAiTellsTheUsageThatItBooks() {
        try (ProviderStub stub = ProviderStub.start(0)) {
            for (String encoding : List.of("float", "base64")) {
                EmbeddingModel model = OpenAiEmbeddingModel.builder()
                        .baseUrl(stub.baseUrl() + "/v1")
                        .apiKey(encoding)
                        .modelName("ok")
                        .encodingFormat(encoding)
                        .build();
                Response<List<Embedding>> response = model.embedAll(SEGMENTS);

                assertThat(response.content()).hasSize(2).doesNotHaveDuplicates();
                assertThat(requireNonNull(response.tokenUsage()).inputTokenCount())
                        .isEqualTo((int) stub.ledger().billed(encoding).totalTokens());
            }
        }
    }

    @Test
    void ollamaTellsTheUsageThatItBooks() {
        try (ProviderStub stub = ProviderStub.start(0)) {
            EmbeddingModel model = OllamaEmbeddingModel.builder()
                    .baseUrl(stub.baseUrl())
                    .modelName("ok")
                    .build();
            Response<List<Embedding>> response = model.embedAll(SEGMENTS);

            assertThat(response.content()).hasSize(2).doesNotHaveDuplicates();
            assertThat(requireNonNull(response.tokenUsage()).inputTokenCount())
                    .isEqualTo((int) stub.ledger().billed().totalTokens());
        }
    }

    @Test
    void geminiIsNotToldWhatIsBilled() {
        try (ProviderStub stub = ProviderStub.start(0)) {
            EmbeddingModel model = GoogleAiEmbeddingModel.builder()
                    .baseUrl(stub.baseUrl() + "/v1beta")
                    .apiKey("gemini")
                    .modelName("ok")
                    .build();
            Response<List<Embedding>> response = model.embedAll(SEGMENTS);

            assertThat(response.content()).hasSize(2).doesNotHaveDuplicates();
            assertThat(response.tokenUsage()).isNull();
            assertThat(stub.ledger().billed("gemini").totalTokens()).isEqualTo(3);
        }
    }
}
