package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Gemini: what only it has")
class GeminiTest {
    private static final GeminiDialect GEMINI = new GeminiDialect();

    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    @Test
    void tellsInEachEventTheUsageUpToThere() throws Exception {
        Client client = new Client(stub, "cumulative", GEMINI);
        Map<String, Object> request = GEMINI.request("ok-reasoning", false);
        GEMINI.showThoughts(request);
        List<Map<String, Object>> events = client.stream("ok-reasoning", request);

        for (int i = 0; i < events.size() - 1; i++) {
            assertThat(Client.at(events.get(i), "usageMetadata.thoughtsTokenCount"))
                    .isEqualTo(Math.min(i + 1, 64));
            assertThat(Client.at(events.get(i), "usageMetadata.candidatesTokenCount"))
                    .isEqualTo(Math.max(0, i + 1 - 64));
        }
        BilledCall call = stub.ledger()
                .awaitCalls("cumulative", 1, java.time.Duration.ofSeconds(10))
                .get(0);
        assertThat(Client.at(events.get(events.size() - 1), "usageMetadata.totalTokenCount"))
                .isEqualTo((int) call.totalTokens());
    }

    @Test
    void billsEachOfSeveralCandidates() throws Exception {
        Client client = new Client(stub, "candidates", GEMINI);
        Map<String, Object> request = GEMINI.request("ok", false);
        int one = client.post("ok", request).number("usageMetadata.candidatesTokenCount");
        request.put("generationConfig", map("candidateCount", 3));
        Reply three = client.post("ok", request);

        assertThat(three.list("candidates")).hasSize(3);
        assertThat(three.number("usageMetadata.candidatesTokenCount")).isEqualTo(3 * one);
    }

    @Test
    void takesTheKeyFromTheQueryToo() throws Exception {
        Map<String, Object> request = GEMINI.request("ok", false);
        new Client(stub, "", GEMINI).postTo("/v1beta/models/cell/ok:generateContent?key=from-query", request);

        assertThat(stub.ledger().calls("from-query"))
                .extracting(BilledCall::model)
                .containsExactly("cell/ok");
    }

    @Test
    void embedsOneTextOrSeveralAndNeverTellsWhatThatCosts() throws Exception {
        Client client = new Client(stub, "embed", GEMINI);
        Map<String, Object> text = map("content", map("parts", List.of(map("text", "a text"))));
        text.put("outputDimensionality", 4);
        Reply one = client.postTo("/v1beta/models/ok:embedContent", text);
        Reply two = client.postTo("/v1beta/models/ok:batchEmbedContents", map("requests", List.of(text, text)));

        assertThat(one.list("embedding.values")).hasSize(4);
        assertThat(two.list("embeddings")).hasSize(2);
        assertThat(two.at("embeddings.1.values")).isEqualTo(one.at("embedding.values"));
        assertThat(one.body()).doesNotContainKey("usageMetadata");
        assertThat(stub.ledger().calls("embed"))
                .extracting(BilledCall::totalTokens)
                .containsExactly(2L, 4L);
    }
}
