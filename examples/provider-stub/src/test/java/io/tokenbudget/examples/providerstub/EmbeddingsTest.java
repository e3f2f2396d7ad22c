package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("embeddings: a vector for each input, and the bill is input alone")
class EmbeddingsTest {
    private static final String PATH = "/v1/embeddings";

    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    private static Map<String, Object> request(String model, Object input) {
        return map("model", model, "input", input);
    }

    private static BilledCall onlyCall(String key) {
        assertThat(stub.ledger().calls(key)).hasSize(1);
        return stub.ledger().calls(key).get(0);
    }

    @Test
    void tellsTheUsageThatItBooks() throws Exception {
        Reply reply = new Client(stub, "usage").postTo(PATH, request("ok", List.of("one text", "another one")));

        assertThat(reply.list("data")).hasSize(2);
        assertThat(reply.number("usage.prompt_tokens")).isEqualTo(4);
        assertThat(reply.number("usage.total_tokens")).isEqualTo(4);
        assertThat(onlyCall("usage"))
                .returns("openai-embeddings", BilledCall::api)
                .returns(4L, BilledCall::promptTokens)
                .returns(0L, BilledCall::completionTokens);
    }

    @Test
    void givesTheSameTextTheSameVectorAndOthersAnother() throws Exception {
        Reply reply = new Client(stub, "same").postTo(PATH, request("ok", List.of("a", "b", "a")));

        assertThat(reply.at("data.0.embedding")).isEqualTo(reply.at("data.2.embedding"));
        assertThat(reply.at("data.0.embedding")).isNotEqualTo(reply.at("data.1.embedding"));
        assertThat(new Client(stub, "alone").postTo(PATH, request("ok", "a")).at("data.0.embedding"))
                .isEqualTo(reply.at("data.0.embedding"));
    }

    @Test
    void packsTheSameVectorInBase64() throws Exception {
        Map<String, Object> request = request("ok", "a text");
        request.put("dimensions", 5);
        Reply plain = new Client(stub, "plain").postTo(PATH, request);
        request.put("encoding_format", "base64");
        Reply packed = new Client(stub, "packed").postTo(PATH, request);

        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(String.valueOf(packed.at("data.0.embedding"))))
                .order(ByteOrder.LITTLE_ENDIAN);
        List<Float> vector = new ArrayList<>();
        while (bytes.hasRemaining()) {
            vector.add(bytes.getFloat());
        }
        assertThat(vector)
                .hasSize(5)
                .isEqualTo(plain.list("data.0.embedding").stream()
                        .map(value -> ((Number) value).floatValue())
                        .toList());
    }

    @Test
    void countsInputThatIsTokensAlready() throws Exception {
        assertThat(new Client(stub, "tokens")
                        .postTo(PATH, request("ok", List.of(1, 2, 3)))
                        .number("usage.prompt_tokens"))
                .isEqualTo(3);
        Reply two = new Client(stub, "tokens").postTo(PATH, request("ok", List.of(List.of(1, 2), List.of(3))));
        assertThat(two.list("data")).hasSize(2);
        assertThat(two.number("usage.prompt_tokens")).isEqualTo(3);
    }

    @Test
    void playsTheScenariosOfOtherCalls() throws Exception {
        Client client = new Client(stub, "scenarios");

        assertThat(client.postTo(PATH, request("error-429", "a")).status()).isEqualTo(429);
        assertThat(client.postTo(PATH, request("no-usage", "a")).body()).doesNotContainKey("usage");
        assertThat(client.postTo(PATH, request("zero-choices", "a")).list("data"))
                .isEmpty();
        for (int status : new int[] {500, 500, 200}) {
            assertThat(client.postTo(PATH, request("error-500-twice", "a")).status())
                    .isEqualTo(status);
        }
        assertThat(stub.ledger().billed("scenarios").calls()).isEqualTo(3);
    }

    @Test
    void refusesWhatIsNoRequest() throws Exception {
        for (String body : List.of("{}", "{\"model\":\"ok\"}", "{\"model\":\"ok\",\"input\":[]}")) {
            assertThat(new Client(stub, "none").postText(PATH, body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }
}
