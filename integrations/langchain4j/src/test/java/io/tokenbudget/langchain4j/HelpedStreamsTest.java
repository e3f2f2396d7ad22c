package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30) // with a mistake in it, the worker and its task wait for each other
@DisplayName("C1, C5: what a worker runs while a handler waits is another stream's, not one that is handed on")
class HelpedStreamsTest {
    private static final ChatRequest QUESTION =
            ChatRequest.builder().messages(UserMessage.from("hello")).build();

    private final Budget budget = new Budget(100_000);
    private final FakeStreamingModel earlier = new FakeStreamingModel();
    private final FakeStreamingModel later = new FakeStreamingModel();
    private final CompletableFuture<String> database = new CompletableFuture<>();

    @Test
    void aPieceOfAnEarlierStreamInsideAWaitingHandlerLeavesItsHoldAlone() throws Exception {
        assertThat(ForkJoinPool.getCommonPoolParallelism())
                .as("-Djava.util.concurrent.ForkJoinPool.common.parallelism")
                .isEqualTo(2);
        FakeStreamingModel.Recorder hears = new FakeStreamingModel.Recorder();
        hears.then = signal -> database.complete("row");
        FakeStreamingModel.Recorder waits = new FakeStreamingModel.Recorder();
        waits.then = signal -> database.join();
        MeteredStreamingChatModel.wrap(earlier, budget.meter()).doChat(QUESTION, hears);
        MeteredStreamingChatModel.wrap(later, budget.meter()).doChat(QUESTION, waits);

        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<?> otherWorker = CompletableFuture.runAsync(() -> {
            busy.countDown();
            await(go);
        });
        busy.await();
        List<CompletableFuture<?>> helped = new CopyOnWriteArrayList<>();
        CompletableFuture.runAsync(() -> {
                    helped.add(
                            CompletableFuture.runAsync(() -> earlier.handler().onPartialResponse("a piece")));
                    later.handler().onPartialResponse("a piece");
                })
                .get();
        helped.get(0).get();
        go.countDown();
        otherWorker.get();
        earlier.handler().onCompleteResponse(FakeStreamingModel.response(1000, 500));
        later.handler().onCompleteResponse(FakeStreamingModel.response(1000, 500));

        assertThat(budget.used()).isEqualTo(3000);
        assertThat(budget.held()).isZero();
        assertThat(budget.report().calls().metered()).isEqualTo(2);
        assertThat(budget.notices).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
