package io.tokenbudget.integrationtests.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.testkit.GuidePage;
import java.nio.file.Path;
import java.util.List;
import org.example.MyApp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guide")
@DisplayName("docs/langchain4j.md: the code on the page is the code that runs here")
class LangChain4jGuideTest {
    @Test
    void theCodeOnThePageIsTheCodeThatRunsHere() throws Exception {
        assertThat(GuidePage.missing(
                        Path.of("../../docs/langchain4j.md"), Path.of("src/test/java/org/example/MyApp.java")))
                .isEmpty();
    }

    /** Its chat models would ask OpenAI; what they book is in the matrix. */
    @Test
    void itsModelsAreMetered() {
        DefaultTokenLimiter limiter = TokenLimiters.builder()
                .yaml("budgets: [{scope: global, limits: [\"1M tokens per 1h\"]}]")
                .build();
        MyApp app = new MyApp(
                limiter, "key", texts -> Response.from(List.of(Embedding.from(new float[] {1})), new TokenUsage(7)));

        assertThat(app.embeddings.embed("a text").content().vector()).hasSize(1);

        assertThat(limiter.status().stream().mapToLong(BudgetStatus::used).sum())
                .isEqualTo(7);
        assertThat(app.assistant).isNotNull();
        assertThat(app.streaming).isNotNull();
    }
}
