package io.tokenbudget.integrationtests.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The agent's rows of budgets are those of the annotation suite: 400 tokens an hour for each agent that is {@code held-*}. */
@DisplayName("@TokenBudget(reserve) of a LangChain4j service that streams, by the agent of this JVM")
class HeldTokenStreamAgentTest {
    private static final BudgetsEndpoint ENDPOINT = new BudgetsEndpoint(
            URI.create(Objects.requireNonNull(System.getProperty(UnderAgent.PROPERTY), UnderAgent.PROPERTY)));
    private static final long HELD = 300;
    private static final long USED = 100;

    interface Teller {
        @TokenBudget(agent = "held-answers", reserve = HELD)
        TokenStream answers(String question);

        @TokenBudget(agent = "held-untold", reserve = HELD)
        TokenStream untold(String question);

        @TokenBudget(agent = "held-fails", reserve = HELD)
        TokenStream fails(String question);
    }

    private static long held(String agent) {
        return of(agent).stream().mapToLong(BudgetsSnapshot.Entry::held).max().orElse(0);
    }

    private static long used(String agent) {
        return of(agent).stream().mapToLong(BudgetsSnapshot.Entry::used).max().orElse(0);
    }

    private static List<BudgetsSnapshot.Entry> of(String agent) {
        return ENDPOINT.read().budgets().stream()
                .filter(entry -> entry.scope().equals("agent:" + agent))
                .toList();
    }

    private static Teller teller(StreamingChatModel model) {
        return AiServices.builder(Teller.class).streamingChatModel(model).build();
    }

    /** Answers on another thread, within a bound that leaves nothing to be held later. */
    private record Answering(Runnable then) implements StreamingChatModel {

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return ChatRequestParameters.builder().maxOutputTokens(90).build();
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            new Thread(() -> {
                        handler.onPartialResponse("answer");
                        handler.onCompleteResponse(ChatResponse.builder()
                                .aiMessage(AiMessage.from("answer"))
                                .tokenUsage(new TokenUsage(60, (int) USED - 60))
                                .build());
                        then.run();
                    })
                    .start();
        }
    }

    /** Fails on another thread. */
    private static final class Failing implements StreamingChatModel {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            new Thread(() -> handler.onError(new IllegalStateException("the provider's own"))).start();
        }
    }

    @Test
    void isHeldFromTheStartToTheEndAndARefusalIsTheStreamsError() throws Exception {
        TokenStream stream = teller(new Answering(() -> {})).answers("question");
        assertThat(held("held-answers")).as("not started").isZero();
        List<Long> whileItFlows = new ArrayList<>();
        CompletableFuture<Long> whenItHasEnded = new CompletableFuture<>();
        stream.onPartialResponse(piece -> whileItFlows.add(held("held-answers")))
                .onCompleteResponse(response -> whenItHasEnded.complete(held("held-answers")))
                .onError(whenItHasEnded::completeExceptionally)
                .start();
        assertThat(whenItHasEnded.get(20, TimeUnit.SECONDS)).isZero();
        assertThat(whileItFlows).containsExactly(HELD);
        assertThat(used("held-answers")).isEqualTo(USED);

        assertThat(failure(teller(new Answering(() -> {})).answers("again"))).isNull();
        Throwable refused = failure(teller(new Answering(() -> {})).answers("once more"));
        assertThat(refused)
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        refusal -> assertThat(refusal.scope()).isEqualTo("agent:held-answers"));
        assertThat(used("held-answers")).isEqualTo(2 * USED);
        assertThat(held("held-answers")).isZero();
    }

    @Test
    void isGivenBackWhenNobodyWantsToHearOfTheEnd() throws Exception {
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        CompletableFuture<Void> told = new CompletableFuture<>();
        StreamingChatModel model = new Answering(() -> told.complete(null));
        teller(model)
                .untold("question")
                .onPartialResponse(piece -> {})
                .onError(failed::complete)
                .start();
        told.get(20, TimeUnit.SECONDS);
        assertThat(failed).isNotDone();
        assertThat(used("held-untold")).isEqualTo(USED);
        assertThat(held("held-untold")).isZero();
    }

    @Test
    void isGivenBackWhenTheStreamFails() throws Exception {
        assertThat(failure(teller(new Failing()).fails("question"))).hasMessage("the provider's own");
        assertThat(held("held-fails")).isZero();
    }

    private static @Nullable Throwable failure(TokenStream stream) throws Exception {
        CompletableFuture<@Nullable Throwable> ended = new CompletableFuture<>();
        stream.onPartialResponse(piece -> {})
                .onCompleteResponse(response -> ended.complete(null))
                .onError(ended::complete)
                .start();
        return ended.get(20, TimeUnit.SECONDS);
    }
}
