package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("OpenAI's Responses API: what only it has")
class ResponsesTest {

    @Test
    void billsTheConversationThatAnEarlierResponseStandsFor() throws Exception {
        try (ProviderStub stub = ProviderStub.start(0)) {
            Client client = new Client(stub, "continued", new ResponsesDialect());
            Reply first = client.ask("ok");
            Map<String, Object> next = map("model", "ok", "input", "And tomorrow?");
            Reply alone = client.post(next);
            next.put("previous_response_id", first.at("id"));
            Reply continued = client.post(next);

            int earlier = first.number("usage.total_tokens");
            assertThat(continued.number("usage.input_tokens"))
                    .isBetween(earlier + 1, earlier + alone.number("usage.input_tokens") + 3);
            assertThat(continued.at("usage.total_tokens"))
                    .isEqualTo((int) stub.ledger().calls("continued").get(2).totalTokens());
            next.put("previous_response_id", "resp_unknown");
            assertThat(client.post(next).status()).isEqualTo(400);
        }
    }

    @Test
    void tellsWhyAResponseIsIncomplete() throws Exception {
        try (ProviderStub stub = ProviderStub.start(0)) {
            Client client = new Client(stub, "incomplete", new ResponsesDialect());
            Map<String, Object> request = map("model", "long", "input", "Tell me.", "max_output_tokens", 9);
            Reply whole = client.post(request);
            request.put("stream", true);
            List<Map<String, Object>> events = client.stream(request);

            assertThat(whole.at("incomplete_details.reason")).isEqualTo("max_output_tokens");
            assertThat(events.get(events.size() - 1).get("type")).isEqualTo("response.incomplete");
            assertThat(client.ask("content-filter").at("incomplete_details.reason"))
                    .isEqualTo("content_filter");
        }
    }

    @Test
    void numbersItsEventsWithoutAGap() throws Exception {
        try (ProviderStub stub = ProviderStub.start(0)) {
            Client client = new Client(stub, "numbers", new ResponsesDialect());
            List<Map<String, Object>> events =
                    client.stream(map("model", "ok-reasoning", "input", "Hello", "stream", true));

            for (int i = 0; i < events.size(); i++) {
                assertThat(events.get(i)).containsEntry("sequence_number", i);
            }
        }
    }
}
