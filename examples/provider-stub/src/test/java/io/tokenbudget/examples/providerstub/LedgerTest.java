package io.tokenbudget.examples.providerstub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.examples.providerstub.Client.Reply;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerTest {

    @Test
    void answersWithCallsAndTheirSumByModelAndByKey() throws Exception {
        try (ProviderStub stub = ProviderStub.start(0)) {
            Client a = new Client(stub, "key a");
            a.ask("gpt-4o-mini");
            a.ask("error-500");
            new Client(stub, "b").ask("gpt-4o-mini");

            Reply all = a.get("/ledger");
            assertThat((List<?>) all.body().get("calls")).hasSize(3);
            assertThat(all.at("calls.1.status")).isEqualTo(500);
            assertThat(all.at("calls.1.billed")).isEqualTo(false);
            assertThat(all.at("billed.calls")).isEqualTo(2);
            assertThat(all.at("billed.totalTokens"))
                    .isEqualTo((int) stub.ledger().billed().totalTokens());
            assertThat(a.get("/ledger?model=gpt-4o-mini").at("billed.calls")).isEqualTo(2);
            assertThat(a.get("/ledger?key=key+a").at("billed.calls")).isEqualTo(1);
            assertThat(a.get("/ledger?key=b&model=error-500").at("billed.calls"))
                    .isEqualTo(0);
        }
    }

    @Test
    void isEmptyAfterDelete() throws Exception {
        try (ProviderStub stub = ProviderStub.start(0)) {
            Client client = new Client(stub, "a");
            client.ask("gpt-4o-mini");

            assertThat(client.delete("/ledger")).isEqualTo(200);
            assertThat(client.get("/ledger").at("billed.totalTokens")).isEqualTo(0);
            assertThat(stub.ledger().calls()).isEmpty();
        }
    }

    @Test
    void booksCallsOfManyThreadsOnceEach() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (ProviderStub stub = ProviderStub.start(0)) {
            List<Future<Reply>> replies = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> new Client(stub, "key-" + i % 4).ask("gpt-4o-mini")))
                    .toList();
            long told = 0;
            for (Future<Reply> reply : replies) {
                told += reply.get().number("usage.total_tokens");
            }

            assertThat(stub.ledger().billed().totalTokens()).isEqualTo(told);
            assertThat(stub.ledger().billed("key-0").calls()).isEqualTo(50);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void saysHowManyCallsCameWhenThoseAwaitedDoNot() {
        try (ProviderStub stub = ProviderStub.start(0)) {
            assertThatThrownBy(() -> stub.ledger().awaitCalls("nobody", 1, Duration.ZERO))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only 0 calls of nobody");
        }
    }

    @Test
    void freesItsPortWhenClosed() {
        List<Boolean> freed = new ArrayList<>();
        // Another process may take the port meanwhile; hardly three times.
        while (freed.size() < 3 && !freed.contains(true)) {
            ProviderStub first = ProviderStub.start(0);
            int port = first.port();
            first.close();
            freed.add(startsAt(port));
        }
        assertThat(freed).contains(true);
    }

    private static boolean startsAt(int port) {
        try (ProviderStub second = ProviderStub.start(port)) {
            return second.port() == port;
        } catch (UncheckedIOException taken) {
            return false;
        }
    }
}
