package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30) // with a mistake in it, a worker and its job wait for each other
class UnmeteredTest {
    private final Fixture fixture = new Fixture("1000 tokens per 1h");
    private final CallMeter meter = fixture.meter();

    @Test
    void callsOfOneKindWithinEachOtherCountOnce() {
        Object embed = Unmetered.enter(meter, "embedding calls");
        Object embedAll = Unmetered.enter(meter, "embedding calls");
        assertThat(Unmetered.exit(embedAll)).isNull();
        assertThat(Unmetered.exit(embed)).isNull();

        assertThat(fixture.calls().unmetered()).isEqualTo(1);
    }

    @Test
    void callsOfDifferentKindsWithinEachOtherCountEach() {
        Object chat = Unmetered.enter(meter, "streaming calls");
        Object embed = Unmetered.enter(meter, "embedding calls");
        assertThat(Unmetered.exit(embed)).isNull();
        assertThat(Unmetered.exit(chat)).isNull();

        assertThat(fixture.calls().unmetered()).isEqualTo(2);
    }

    @Test
    void callsAfterEachOtherCountEachAndAreSaidOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(Unmetered.exit(Unmetered.enter(meter, "embedding calls")))
                    .isNull();
        }

        assertThat(fixture.calls().unmetered()).isEqualTo(3);
        assertThat(fixture.lines).hasSize(1).first().asString().startsWith("embedding calls are not metered");
    }

    @Test
    void whatAMeteredCallMakesOfItselfIsPartOfIt() {
        Frame frame = meter.open(this, () -> ModelCall.of("m", 1, 1));
        assertThat(Unmetered.exit(Unmetered.enter(meter, "streaming calls"))).isNull();
        frame.enterTools();
        assertThat(Unmetered.exit(Unmetered.enter(meter, "streaming calls"))).isNull();
        frame.exitTools();
        frame.succeed(null, 0, null);

        assertThat(fixture.calls().metered()).isEqualTo(1);
        assertThat(fixture.calls().unmetered())
                .as("the one inside the tool is a call of its own")
                .isEqualTo(1);
    }

    @Test
    void C10_whatAWaitingWorkerRunsForOthersIsNoPartOfTheCallItWaitsIn() throws Exception {
        assertThat(ForkJoinPool.getCommonPoolParallelism())
                .as("-Djava.util.concurrent.ForkJoinPool.common.parallelism")
                .isEqualTo(2);
        CountDownLatch otherWorkerMayGo = new CountDownLatch(1);
        CountDownLatch otherWorkerIsBusy = new CountDownLatch(1);
        CompletableFuture<?> otherWorker = CompletableFuture.runAsync(() -> {
            otherWorkerIsBusy.countDown();
            await(otherWorkerMayGo);
        });
        otherWorkerIsBusy.await();
        CompletableFuture.runAsync(() -> {
                    CompletableFuture<Void> answer = new CompletableFuture<>();
                    CompletableFuture<Void> job = CompletableFuture.runAsync(() -> {
                        assertThat(CallMeter.helpingDepth()).isPositive();
                        assertThat(Unmetered.exit(Unmetered.enter(meter, "batches")))
                                .isNull();
                        answer.complete(null);
                    });
                    Object batch = Unmetered.enter(meter, "batches");
                    answer.join();
                    assertThat(Unmetered.exit(batch)).isNull();
                    job.join();
                    assertThat(Unmetered.exit(Unmetered.enter(meter, "batches")))
                            .isNull();
                })
                .get();
        otherWorkerMayGo.countDown();
        otherWorker.get();

        assertThat(fixture.calls().unmetered()).isEqualTo(3);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void silentlyCountedCallsAreNotSaidAgain() {
        assertThat(Unmetered.exit(Unmetered.enterSilently(meter, "chat calls"))).isNull();

        assertThat(fixture.calls().unmetered()).isEqualTo(1);
        assertThat(fixture.lines).isEmpty();
    }
}
