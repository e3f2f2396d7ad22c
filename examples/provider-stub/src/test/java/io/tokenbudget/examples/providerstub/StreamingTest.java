package io.tokenbudget.examples.providerstub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("streams: what flowed is booked")
class StreamingTest {
    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    private static BilledCall onlyCall(String key) throws InterruptedException {
        List<BilledCall> calls = stub.ledger().awaitCalls(key, 1, Duration.ofSeconds(10));
        assertThat(calls).hasSize(1);
        return calls.get(0);
    }

    private static String joined(List<Map<String, Object>> chunks, String path) {
        return chunks.stream()
                .map(chunk -> Client.at(chunk, path))
                .filter(Objects::nonNull)
                .map(Object::toString)
                .collect(Collectors.joining());
    }

    /** Without its first chunk, the role, and without the last {@code tail} ones. */
    private static List<Map<String, Object>> content(List<Map<String, Object>> chunks, int tail) {
        return chunks.subList(1, chunks.size() - tail);
    }

    @Test
    void streamsTheBlockingAnswerTokenByTokenAndEndsWithItsUsage() throws Exception {
        Object whole = new Client(stub, "whole").ask("gpt-4o-mini").at("choices.0.message.content");
        List<Map<String, Object>> chunks = new Client(stub, "plain").stream(Client.streamed("gpt-4o-mini"));
        List<Map<String, Object>> content = content(chunks, 2);

        BilledCall call = onlyCall("plain");
        assertThat(joined(content, "choices.0.delta.content")).isEqualTo(whole);
        assertThat(content).hasSize((int) call.completionTokens());
        Map<String, Object> last = chunks.get(chunks.size() - 1);
        assertThat((List<?>) last.get("choices")).isEmpty();
        assertThat(Client.at(last, "usage.total_tokens")).isEqualTo((int) call.totalTokens());
        assertThat(Client.at(chunks.get(chunks.size() - 2), "choices.0.finish_reason"))
                .isEqualTo("stop");
        assertThat(call.totalTokens()).isEqualTo(stub.ledger().billed("whole").totalTokens());
    }

    @Test
    void tellsNoUsageUnlessAskedTo() throws Exception {
        Map<String, Object> request = Client.streamed("gpt-4o-mini");
        request.remove("stream_options");

        assertThat(new Client(stub, "silent").stream(request)).noneMatch(chunk -> chunk.containsKey("usage"));
        assertThat(onlyCall("silent").billed()).isTrue();
    }

    @Test
    void streamsToolCallsInFragmentsAtThePriceOfWholeOnes() throws Exception {
        Map<String, Object> request = Client.request("tools-1");
        Map<String, Object> schema = Map.of("properties", Map.of("city", Map.of("type", "string")));
        request.put(
                "tools",
                List.of(Map.of("type", "function", "function", Map.of("name", "weather", "parameters", schema))));
        new Client(stub, "tools-whole").post(request);
        request.put("stream", true);
        List<Map<String, Object>> chunks = new Client(stub, "tools").stream(request);

        assertThat(joined(chunks, "choices.0.delta.tool_calls.0.function.name")).isEqualTo("weather");
        assertThat(joined(chunks, "choices.0.delta.tool_calls.0.function.arguments"))
                .isEqualTo("{\"city\":\"Paris\"}");
        assertThat(joined(chunks, "choices.0.finish_reason")).isEqualTo("tool_calls");
        assertThat(onlyCall("tools").totalTokens())
                .isEqualTo(onlyCall("tools-whole").totalTokens());
    }

    @Test
    void endsAnEndlessStreamAtTheBoundOnOutput() throws Exception {
        Map<String, Object> request = Client.streamed("endless");
        request.put("max_tokens", 5);
        List<Map<String, Object>> chunks = new Client(stub, "bound").stream(request);

        assertThat(joined(chunks, "choices.0.finish_reason")).isEqualTo("length");
        assertThat(onlyCall("bound").completionTokens()).isEqualTo(5);
    }

    @Test
    void answersAnErrorWithItsStatusAndNoStream() throws Exception {
        Map<String, Object> request = Client.streamed("error-429");
        assertThat(new Client(stub, "error").post(request).status()).isEqualTo(429);
        assertThat(onlyCall("error").billed()).isFalse();
    }

    @Test
    void billsReasoningThatTheStreamDoesNotShow() throws Exception {
        List<Map<String, Object>> chunks = new Client(stub, "reasoning").stream(Client.streamed("ok-reasoning"));

        BilledCall call = onlyCall("reasoning");
        assertThat(content(chunks, 2)).hasSize((int) (call.completionTokens() - call.reasoningTokens()));
        assertThat(Client.at(chunks.get(chunks.size() - 1), "usage.completion_tokens_details.reasoning_tokens"))
                .isEqualTo((int) call.reasoningTokens());
    }
}
