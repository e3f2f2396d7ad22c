package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("OpenAI's other interfaces: what is told is what is booked")
class OtherMediaTest {
    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    private static BilledCall onlyCall(String key) {
        assertThat(stub.ledger().calls(key)).hasSize(1);
        return stub.ledger().calls(key).get(0);
    }

    private static HttpResponse<String> postForm(String path, String key, Map<String, String> fields, String file)
            throws Exception {
        StringBuilder form = new StringBuilder();
        fields.forEach((name, value) -> form.append("--edge\r\nContent-Disposition: form-data; name=\"")
                .append(name)
                .append("\"\r\n\r\n")
                .append(value)
                .append("\r\n"));
        form.append("--edge\r\nContent-Disposition: form-data; name=\"").append(file);
        form.append("\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n--edge--\r\n");
        HttpRequest request = HttpRequest.newBuilder(URI.create(stub.baseUrl() + path))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "multipart/form-data; boundary=edge")
                .POST(BodyPublishers.ofString(form.toString()))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private static Reply parsed(HttpResponse<String> response) throws Exception {
        return new Reply(
                response.statusCode(),
                Json.readObject(response.body().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Test
    void completesText() throws Exception {
        Map<String, Object> request = map("model", "ok", "prompt", "Hello?");
        Client client = new Client(stub, "completion");
        Reply whole = client.postTo("/v1/completions", request);
        request.put("stream", true);
        request.put("stream_options", map("include_usage", true));
        String stream = client.postText("/v1/completions", Json.write(request)).body();

        List<BilledCall> calls = stub.ledger().calls("completion");
        assertThat(whole.at("choices.0.text")).asString().startsWith("You asked: Hello?");
        assertThat(whole.number("usage.total_tokens"))
                .isEqualTo((int) calls.get(0).totalTokens());
        assertThat(calls.get(1).totalTokens()).isEqualTo(calls.get(0).totalTokens());
        assertThat(stream).contains("\"total_tokens\":" + calls.get(1).totalTokens(), "data: [DONE]");
    }

    @Test
    void makesImages() throws Exception {
        Map<String, Object> request = map("model", "ok", "prompt", "a cat", "n", 2);
        Reply reply = new Client(stub, "images").postTo("/v1/images/generations", request);
        request.put("response_format", "url");
        Reply urls = new Client(stub, "urls").postTo("/v1/images/generations", request);

        assertThat(reply.list("data")).hasSize(2);
        assertThat(reply.at("data.0.b64_json")).isNotNull();
        assertThat(urls.at("data.1.url")).isEqualTo("https://images.example/1.png");
        assertThat(onlyCall("images").completionTokens()).isEqualTo(2 * 272);
        assertThat(reply.number("usage.total_tokens"))
                .isEqualTo((int) onlyCall("images").totalTokens());
    }

    @Test
    void billsTheImageThatIsToBeChanged() throws Exception {
        Map<String, String> fields = Map.of("model", "ok", "prompt", "a cat");
        Reply reply = parsed(postForm("/v1/images/edits", "edit", fields, "image"));

        assertThat(reply.list("data")).hasSize(1);
        assertThat(reply.number("usage.input_tokens"))
                .isEqualTo((int) onlyCall("edit").promptTokens())
                .isGreaterThan(700);
    }

    @Test
    void moderatesForNothing() throws Exception {
        Client client = new Client(stub, "moderation");
        Reply two = client.postTo("/v1/moderations", map("input", List.of("a", "b")));
        Reply flagged = client.postTo("/v1/moderations", map("model", "content-filter", "input", "a"));

        assertThat(two.list("results")).hasSize(2);
        assertThat(two.at("results.0.flagged")).isEqualTo(false);
        assertThat(flagged.at("results.0.flagged")).isEqualTo(true);
        assertThat(flagged.at("results.0.categories.violence")).isEqualTo(true);
        assertThat(stub.ledger().calls("moderation")).hasSize(2).noneMatch(BilledCall::billed);
    }

    @Test
    void transcribesSpeech() throws Exception {
        Map<String, String> fields = Map.of("model", "ok", "response_format", "json");
        Reply reply = parsed(postForm("/v1/audio/transcriptions", "transcription", fields, "file"));
        Map<String, String> asText = Map.of("model", "ok", "response_format", "text");
        HttpResponse<String> text = postForm("/v1/audio/transcriptions", "as-text", asText, "file");

        assertThat(reply.at("text")).isEqualTo(text.body()).asString().isNotBlank();
        assertThat(reply.number("usage.input_tokens"))
                .isEqualTo((int) onlyCall("transcription").promptTokens());
        assertThat(reply.number("usage.output_tokens"))
                .isEqualTo((int) onlyCall("transcription").completionTokens());
    }

    @Test
    void speaksAndTellsNothing() throws Exception {
        HttpResponse<String> response = new Client(stub, "speech")
                .postText("/v1/audio/speech", Json.write(map("model", "ok", "voice", "alloy", "input", "Good day.")));

        assertThat(response.headers().firstValue("content-type")).hasValue("audio/mpeg");
        assertThat(response.body()).isNotEmpty();
        assertThat(onlyCall("speech").promptTokens()).isEqualTo(3);
        assertThat(onlyCall("speech").completionTokens()).isEqualTo(15);
    }

    @Test
    void playsTheScenariosOfOtherCalls() throws Exception {
        Client client = new Client(stub, "errors");

        assertThat(client.postTo("/v1/images/generations", map("model", "error-429", "prompt", "a"))
                        .status())
                .isEqualTo(429);
        assertThat(client.postTo("/v1/moderations", map("model", "error-500", "input", "a"))
                        .status())
                .isEqualTo(500);
        assertThat(client.postTo("/v1/audio/speech", map("model", "error-503", "input", "a"))
                        .status())
                .isEqualTo(503);
        assertThat(parsed(postForm("/v1/audio/transcriptions", "errors", Map.of("model", "error-400"), "file"))
                        .status())
                .isEqualTo(400);
        assertThat(client.postTo("/v1/images/generations", map("model", "no-usage", "prompt", "a"))
                        .body())
                .doesNotContainKey("usage");
        assertThat(client.postTo("/v1/audio/transcriptions", map("model", "ok")).status())
                .isEqualTo(400);
    }
}
