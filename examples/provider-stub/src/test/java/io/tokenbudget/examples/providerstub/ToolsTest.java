package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("tool calls: as many rounds as the model's name says")
class ToolsTest {
    private static final Map<String, Object> SCHEMA = Map.of(
            "type",
            "object",
            "properties",
            Map.of(
                    "city", Map.of("type", "string"),
                    "days", Map.of("type", "integer", "minimum", 3),
                    "unit", Map.of("enum", List.of("celsius", "fahrenheit")),
                    "ratio", Map.of("type", List.of("null", "number")),
                    "now", Map.of("type", "boolean"),
                    "at", Map.of("$ref", "#/$defs/Point"),
                    "names", Map.of("type", "array", "items", Map.of("type", "string")),
                    "note", Map.of("type", "string")),
            "required",
            List.of("city", "days", "unit", "ratio", "now", "at", "names"),
            "$defs",
            Map.of("Point", Map.of("type", "object", "properties", Map.of("x", Map.of("type", "number")))));

    private static ProviderStub stub;

    @BeforeAll
    static void start() {
        stub = ProviderStub.start(0);
    }

    @AfterAll
    static void stop() {
        stub.close();
    }

    private static Map<String, Object> requestWithTools(String model) {
        Map<String, Object> request = Client.request(model);
        request.put(
                "tools",
                List.of(
                        Map.of("type", "function", "function", Map.of("name", "weather", "parameters", SCHEMA)),
                        Map.of("type", "function", "function", Map.of("name", "time", "parameters", Map.of()))));
        return request;
    }

    /** Answers every tool call until the model has no more; returns how many rounds that took. */
    private static int roundsUntilAnswered(Client client, Map<String, Object> request, int atMost) throws Exception {
        List<Object> messages = new ArrayList<>((List<?>) request.get("messages"));
        for (int round = 0; round <= atMost; round++) {
            request.put("messages", messages);
            Reply reply = client.post(request);
            if ("stop".equals(reply.at("choices.0.finish_reason"))) {
                return round;
            }
            messages.add(reply.at("choices.0.message"));
            for (Object call : reply.list("choices.0.message.tool_calls")) {
                messages.add(Map.of("role", "tool", "tool_call_id", Client.at(call, "id"), "content", "sunny"));
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void asksForToolsForAsManyRoundsAsNamed() throws Exception {
        for (int rounds = 1; rounds <= 3; rounds++) {
            Client client = new Client(stub, "tools-" + rounds);
            assertThat(roundsUntilAnswered(client, requestWithTools("tools-" + rounds), 10))
                    .isEqualTo(rounds);
            assertThat(stub.ledger().billed("tools-" + rounds).calls()).isEqualTo(rounds + 1);
        }
    }

    @Test
    void neverStopsAskingInToolsForever() throws Exception {
        assertThat(roundsUntilAnswered(new Client(stub, "forever"), requestWithTools("tools-forever"), 20))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void asksForTwoToolsAtOnceInToolsParallel() throws Exception {
        Reply reply = new Client(stub, "parallel").post(requestWithTools("tools-parallel"));

        assertThat(reply.at("choices.0.message.tool_calls.0.function.name")).isEqualTo("weather");
        assertThat(reply.at("choices.0.message.tool_calls.1.function.name")).isEqualTo("time");
    }

    @Test
    void fillsEveryRequiredPropertyOfTheFirstTool() throws Exception {
        Reply reply = new Client(stub, "arguments").post(requestWithTools("tools-1"));

        assertThat(reply.at("choices.0.message.content")).isNull();
        assertThat(Json.readObject(String.valueOf(reply.at("choices.0.message.tool_calls.0.function.arguments"))
                        .getBytes(UTF_8)))
                .isEqualTo(Map.of(
                        "city",
                        "Paris",
                        "days",
                        3,
                        "unit",
                        "celsius",
                        "ratio",
                        1.5,
                        "now",
                        true,
                        "at",
                        Map.of("x", 1.5),
                        "names",
                        List.of("some names")));
    }

    @Test
    void billsTheToolsOfARequestAsInput() throws Exception {
        new Client(stub, "without").ask("gpt-4o-mini");
        new Client(stub, "with").post(requestWithTools("gpt-4o-mini"));

        assertThat(stub.ledger().billed("with").inputTokens())
                .isGreaterThan(stub.ledger().billed("without").inputTokens());
    }

    @Test
    void answersAtOnceWhereNoToolMayBeCalled() throws Exception {
        assertThat(new Client(stub, "no-tools").ask("tools-2").at("choices.0.finish_reason"))
                .isEqualTo("stop");
        Map<String, Object> request = requestWithTools("tools-2");
        request.put("tool_choice", "none");
        assertThat(new Client(stub, "none").post(request).at("choices.0.finish_reason"))
                .isEqualTo("stop");
    }

    @Test
    void startsAnewWithTheNextQuestion() throws Exception {
        Map<String, Object> request = requestWithTools("tools-1");
        Client client = new Client(stub, "next");
        roundsUntilAnswered(client, request, 3);
        List<Object> messages = new ArrayList<>((List<?>) request.get("messages"));
        messages.add(Map.of("role", "user", "content", "And tomorrow?"));
        request.put("messages", messages);

        assertThat(client.post(request).at("choices.0.finish_reason")).isEqualTo("tool_calls");
    }

    @Test
    void goesOnAsAnotherModelAfterTheNamedRounds() throws Exception {
        Client client = new Client(stub, "then");
        Map<String, Object> request = requestWithTools("tools-1-then-error-503");
        Reply first = client.post(request);
        List<Object> messages = new ArrayList<>((List<?>) request.get("messages"));
        messages.add(first.at("choices.0.message"));
        messages.add(
                Map.of("role", "tool", "tool_call_id", first.at("choices.0.message.tool_calls.0.id"), "content", "x"));
        request.put("messages", messages);

        assertThat(client.post(request).status()).isEqualTo(503);
        assertThat(stub.ledger().calls("then")).extracting(BilledCall::billed).containsExactly(true, false);
    }
}
