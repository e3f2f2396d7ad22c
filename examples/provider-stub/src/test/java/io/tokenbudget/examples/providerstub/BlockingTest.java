package io.tokenbudget.examples.providerstub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("blocking calls: the client is told what is booked")
class BlockingTest {
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

    @ParameterizedTest
    @ValueSource(
            strings = {"gpt-4o-mini", "ok-cached", "ok-reasoning", "refusal", "content-filter", "long", "zero-choices"})
    void tellsTheUsageThatItBooks(String model) throws Exception {
        String key = "usage-" + model;
        Reply reply = new Client(stub, key).ask(model);

        assertThat(reply.status()).isEqualTo(200);
        BilledCall call = onlyCall(key);
        assertThat(call.billed()).isTrue();
        assertThat(reply.at("usage.prompt_tokens")).isEqualTo((int) call.promptTokens());
        assertThat(reply.at("usage.completion_tokens")).isEqualTo((int) call.completionTokens());
        assertThat(reply.at("usage.total_tokens")).isEqualTo((int) call.totalTokens());
        assertThat(reply.at("usage.prompt_tokens_details.cached_tokens")).isEqualTo((int) call.cachedTokens());
        assertThat(reply.at("usage.completion_tokens_details.reasoning_tokens"))
                .isEqualTo((int) call.reasoningTokens());
        assertThat(call.promptTokens()).isPositive();
        assertThat(call.completionTokens()).isPositive();
    }

    @Test
    void answersTheSameQuestionTheSameWay() throws Exception {
        Client client = new Client(stub, "same");
        Reply first = client.ask("gpt-4o-mini");
        Reply second = client.ask("gpt-4o-mini");

        assertThat(second.at("choices")).isEqualTo(first.at("choices"));
        assertThat(second.at("usage")).isEqualTo(first.at("usage"));
    }

    @Test
    void cachedTokensArePartOfThePromptAndReasoningOfTheCompletion() throws Exception {
        new Client(stub, "parts").ask("ok-cached");
        assertThat(onlyCall("parts").cachedTokens())
                .isBetween(1L, onlyCall("parts").promptTokens());
        new Client(stub, "parts-2").ask("ok-reasoning");
        assertThat(onlyCall("parts-2").reasoningTokens())
                .isBetween(1L, onlyCall("parts-2").completionTokens());
    }

    @Test
    void booksWhatItDoesNotTell() throws Exception {
        assertThat(new Client(stub, "none").ask("no-usage").body()).doesNotContainKey("usage");
        assertThat(new Client(stub, "zero").ask("zero-usage").at("usage.total_tokens"))
                .isEqualTo(0);
        assertThat(onlyCall("none").totalTokens())
                .isPositive()
                .isEqualTo(onlyCall("zero").totalTokens());
    }

    @Test
    void stopsAtTheBoundOnOutput() throws Exception {
        for (String bound : List.of("max_tokens", "max_completion_tokens")) {
            Map<String, Object> request = Client.request("long");
            request.put(bound, 7);
            Reply reply = new Client(stub, bound).post(request);

            assertThat(reply.at("choices.0.finish_reason")).isEqualTo("length");
            assertThat(reply.at("usage.completion_tokens")).isEqualTo(7);
            assertThat(onlyCall(bound).completionTokens()).isEqualTo(7);
        }
    }

    @Test
    void billsEachOfSeveralAnswers() throws Exception {
        Map<String, Object> request = Client.request("gpt-4o-mini");
        new Client(stub, "one").post(request);
        request.put("n", 3);
        Reply reply = new Client(stub, "three").post(request);

        assertThat((List<?>) reply.body().get("choices")).hasSize(3);
        assertThat(onlyCall("three").completionTokens())
                .isEqualTo(3 * onlyCall("one").completionTokens());
        assertThat(onlyCall("three").promptTokens()).isEqualTo(onlyCall("one").promptTokens());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 429, 500, 503})
    void billsNothingForAnError(int status) throws Exception {
        String key = "error-" + status;
        Reply reply = new Client(stub, key).ask(key);

        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.at("error.message")).asString().contains(key);
        assertThat(onlyCall(key))
                .returns(false, BilledCall::billed)
                .returns(0L, BilledCall::totalTokens)
                .returns(status, BilledCall::status);
    }

    @Test
    void failsTwiceForEachConversation() throws Exception {
        Client one = new Client(stub, "twice");
        Client other = new Client(stub, "twice-other");

        assertThat(one.ask("error-500-twice").status()).isEqualTo(500);
        assertThat(other.ask("error-500-twice").status()).isEqualTo(500);
        assertThat(one.ask("error-500-twice").status()).isEqualTo(500);
        assertThat(one.ask("error-500-twice").status()).isEqualTo(200);
        assertThat(stub.ledger().billed("twice").calls()).isEqualTo(1);
        assertThat(one.ask("error-500-twice").status()).isEqualTo(500);
    }

    @Test
    void billsAnAnswerThatNobodyCanRead() throws Exception {
        assertThatThrownBy(() -> new Client(stub, "garbage").ask("garbage")).isInstanceOf(IOException.class);
        assertThat(onlyCall("garbage").completionTokens()).isPositive();
    }

    @Test
    void cutsAnAnswerInTheMiddle() {
        assertThatThrownBy(() -> new Client(stub, "cut").ask("cut-after-3")).isInstanceOf(IOException.class);
        assertThat(onlyCall("cut").billed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeout", "timeout-input", "timeout-unbilled"})
    void doesNotAnswerUntilReleased(String model) throws Exception {
        String key = "key-" + model;
        CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(() -> {
            try {
                return new Client(stub, key).ask(model);
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        });
        BilledCall call = stub.ledger()
                .awaitCalls(key, 1, java.time.Duration.ofSeconds(10))
                .get(0);
        assertThat(reply).isNotDone();
        while (!reply.isDone()) {
            stub.release();
            Thread.onSpinWait();
        }

        assertThatThrownBy(reply::get).isInstanceOf(ExecutionException.class).hasRootCauseInstanceOf(IOException.class);
        assertThat(call.status()).isZero();
        assertThat(call.promptTokens() > 0).isEqualTo(!model.equals("timeout-unbilled"));
        assertThat(call.completionTokens() > 0).isEqualTo(model.equals("timeout"));
    }

    @Test
    void refusesWhatIsNoChatRequest(TestInfo info) throws Exception {
        Client client = new Client(stub, info.getDisplayName());
        for (String body : List.of("{", "[]", "{}", "{\"model\":\"ok\"}", "{\"model\":\"ok\",\"messages\":[]}")) {
            assertThat(client.postText("/chat/completions", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(client.postText("/v1/other", "{}").statusCode()).isEqualTo(404);
        assertThat(stub.ledger().calls(info.getDisplayName())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-4o@error-503", "gpt-4o/error-503", "openai/gpt-4o@error-503"})
    void readsTheScenarioBehindAModelsName(String model) throws Exception {
        String key = "behind " + model;
        assertThat(new Client(stub, key).ask(model).status()).isEqualTo(503);
        assertThat(onlyCall(key).model()).isEqualTo(model);
        assertThat(onlyCall(key).scenario()).isEqualTo("error-503");
    }
}
