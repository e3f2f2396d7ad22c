package io.tokenbudget.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.spi.LedgerCounts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StatusServerTest {
    private static final BudgetReport REPORT = new BudgetReport(
            Instant.parse("2026-01-01T00:00:00.123Z"),
            "enforce",
            List.of(
                    new BudgetStatus(
                            "tenant:acme",
                            "tokens",
                            "1h",
                            1000000,
                            1200,
                            300,
                            998500,
                            Instant.parse("2026-01-01T00:41:00Z"),
                            false),
                    new BudgetStatus("global", "tokens", null, Long.MAX_VALUE, 5, 0, Long.MAX_VALUE, null, true)),
            new LedgerCounts(1, 10, 2, 0, 3),
            new BudgetReport.Calls(13, 0, 0),
            List.of(new BudgetReport.ModelEstimate("gpt-4o-mini", 10, 0.97, 0.04)));

    private static final BlockingQueue<String> LINES = new LinkedBlockingQueue<>();
    private static int port;
    private static @Nullable String saidWhenItWasOpen;

    @BeforeAll
    static void start() throws Exception {
        port = freePort();
        StatusServer.start(port, () -> REPORT, LINES::add);
        saidWhenItWasOpen = LINES.poll(30, TimeUnit.SECONDS);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String exchange(String method, String path, String host) throws IOException {
        String request = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                InputStream answer = socket.getInputStream()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String get(String path) throws IOException {
        return exchange("GET", path, "localhost:" + port);
    }

    @Test
    void budgetsIsTheReportAsEveryWayInAnswersIt() throws Exception {
        String answer = get("/budgets");

        assertThat(answer).startsWith("HTTP/1.1 200").contains("Content-type: application/json");
        assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4))
                .isEqualTo("{\"generatedAt\":\"2026-01-01T00:00:00Z\",\"mode\":\"enforce\",\"budgets\":["
                        + "{\"scope\":\"tenant:acme\",\"unit\":\"tokens\",\"window\":\"1h\",\"limit\":1000000,"
                        + "\"used\":1200,\"held\":300,\"remaining\":998500,\"resetsAt\":\"2026-01-01T00:41:00Z\","
                        + "\"unlimited\":false},"
                        + "{\"scope\":\"global\",\"unit\":\"tokens\",\"window\":null,\"limit\":null,"
                        + "\"used\":5,\"held\":0,\"remaining\":null,\"resetsAt\":null,\"unlimited\":true}],"
                        + "\"reservations\":{\"held\":1,\"settled\":10,\"refunded\":2,\"expired\":0,\"refused\":3},"
                        + "\"calls\":{\"metered\":13,\"unmetered\":0,\"usageMissing\":0},"
                        + "\"estimates\":[{\"model\":\"gpt-4o-mini\",\"calls\":10,\"ratio\":0.97,\"error\":0.04}]}");
    }

    @Test
    void theRootIsAPageThatNeedsNothingElse() throws Exception {
        String answer = get("/");

        assertThat(answer).startsWith("HTTP/1.1 200").contains("text/html", "<title>Token Budget</title>");
        assertThat(answer).doesNotContain("http://", "https://", "src=", "href=");
    }

    @Test
    void refusesAHostNameThatSomebodyPointedHere() throws Exception {
        assertThat(exchange("GET", "/budgets", "attacker.example:" + port)).startsWith("HTTP/1.1 403");
        assertThat(exchange("GET", "/budgets", "127.0.0.1:" + port)).startsWith("HTTP/1.1 200");
        assertThat(exchange("GET", "/budgets", "[::1]:" + port)).startsWith("HTTP/1.1 200");
    }

    @Test
    void changesNothingAndKnowsNothingElse() throws Exception {
        assertThat(exchange("POST", "/budgets", "localhost")).startsWith("HTTP/1.1 405");
        assertThat(get("/other")).startsWith("HTTP/1.1 404");
    }

    @Test
    void itsAddressIsSaidOnceItIsOpen() {
        assertThat(saidWhenItWasOpen).isEqualTo("status at http://127.0.0.1:" + port + "/");
    }

    @Test
    void aTakenPortIsOneLine() throws Exception {
        StatusServer.start(port, () -> REPORT, LINES::add);

        assertThat(LINES.poll(30, TimeUnit.SECONDS))
                .isEqualTo("status port " + port + " is taken: no status page, everything else works");
    }

    @Test
    void itsThreadsAreDaemonsThatHoldNoClassesOfTheApplication() {
        List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("token-budget")
                        || thread.getName().equals("HTTP-Dispatcher"))
                .toList();

        assertThat(threads).isNotEmpty().allMatch(Thread::isDaemon);
        // The JDK's own dispatcher has the system loader since 19: that one lives as long as the JVM.
        assertThat(threads)
                .extracting(Thread::getContextClassLoader)
                .allMatch(loader -> loader == null || loader == ClassLoader.getSystemClassLoader());
    }
}
