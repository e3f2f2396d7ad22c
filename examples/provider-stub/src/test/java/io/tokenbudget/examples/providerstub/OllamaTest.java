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

@DisplayName("Ollama: what only it has")
class OllamaTest {
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
    void generatesTextFromAPrompt() throws Exception {
        Map<String, Object> request = map("model", "ok", "prompt", "Hello?", "system", "Be short.", "stream", false);
        Reply reply = new Client(stub, "generate").postTo("/api/generate", request);

        assertThat(reply.at("response")).asString().startsWith("You asked: Hello?");
        BilledCall call = stub.ledger().calls("generate").get(0);
        assertThat(call.api()).isEqualTo("ollama-generate");
        assertThat(reply.number("prompt_eval_count")).isEqualTo((int) call.promptTokens());
        assertThat(reply.number("eval_count")).isEqualTo((int) call.completionTokens());
    }

    @Test
    void aNegativeBoundOnOutputIsNone() throws Exception {
        Map<String, Object> request =
                map("model", "long", "prompt", "Hello?", "stream", false, "options", map("num_predict", -1));

        assertThat(new Client(stub, "unbounded")
                        .postTo("/api/generate", request)
                        .number("eval_count"))
                .isEqualTo(1000);
    }

    @Test
    void embedsOneTextOrSeveral() throws Exception {
        Client client = new Client(stub, "embed");
        Reply one = client.postTo("/api/embed", map("model", "ok", "input", "a text"));
        Reply two = client.postTo("/api/embed", map("model", "ok", "input", List.of("a text", "another")));
        Reply untold = client.postTo("/api/embed", map("model", "no-usage", "input", "a text"));

        assertThat(one.list("embeddings")).hasSize(1);
        assertThat(two.at("embeddings.0")).isEqualTo(one.at("embeddings.0"));
        assertThat(two.number("prompt_eval_count")).isEqualTo(3);
        assertThat(untold.body()).doesNotContainKey("prompt_eval_count");
        assertThat(stub.ledger().calls("embed"))
                .extracting(BilledCall::totalTokens)
                .containsExactly(2L, 3L, 2L);
    }

    @Test
    void answersWhatClientsAskAboutTheServer() throws Exception {
        Client client = new Client(stub, "server");

        assertThat(client.get("/api/tags").list("models")).isEmpty();
        assertThat(client.postTo("/api/show", map("model", "any")).status()).isEqualTo(200);
        assertThat(client.get("/api/version").status()).isEqualTo(200);
        assertThat(stub.ledger().calls("server")).isEmpty();
    }
}
