package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.examples.providerstub.BilledCall;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
        "Starter and agent together: one ledger, the application's, equals the bill, whatever the agent's configuration is")
class StarterBesideAgentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Budgets of the application's own that leave nothing out. */
    private static final String[] APPLICATION = {
        "--logging.level.io.tokenbudget.examples=info",
        "--token-budget.identity.agent=literal:other",
        "--token-budget.budgets[0].scope=tenant",
        "--token-budget.budgets[0].limits=1M tokens per 1h",
        "--token-budget.budgets[1].scope=agent",
        "--token-budget.budgets[1].limits=1M tokens per 1h",
        "--token-budget.budgets[2].scope=run",
        "--token-budget.budgets[2].limits=10k tokens",
        "--token-budget.budgets[3].scope=global",
        "--token-budget.budgets[3].limits=1M tokens per 1h",
        // Of Spring AI 1.
        "--spring.ai.openai.chat.options.model=gpt-4o-mini",
        "--spring.ai.openai.chat.options.max-tokens=200",
        "--spring.ai.openai.chat.options.stream-usage=true"
    };

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private final int status = Budgets.freePort();
    private final int port = Budgets.freePort();

    /** Such as would refuse every call, if the agent went by it. */
    private String agent(String configuration) {
        return switch (configuration) {
            case "none" -> "-javaagent:" + Fixture.AGENT;
            case "broken" -> Fixture.agent(Fixture.write(folder, "budgets: {"));
            default -> Fixture.agent(Fixture.write(folder, """
                    status: {port: %d}
                    identity: {user: ["header:X-Tenant-Id", "literal:nobody"]}
                    budgets: [{scope: global, limits: ["1 token per 1h"]}]
                    """.formatted(status)));
        };
    }

    @ParameterizedTest(name = "Spring Boot {0}, the agent''s configuration: {1}")
    @CsvSource({"4, its own", "4, none", "3.5, broken"})
    @DisplayName(
            "C1, C9: calls, streams and methods are booked once, a refusal is answered, and the agent says what it does")
    void theApplicationsLedgerIsTheOnlyOne(String boot, String configuration) throws Exception {
        try (ProviderStub stub = ProviderStub.start(0);
                Launch launch = start(boot, agent(configuration), stub)) {
            launch.awaitLine("Started DeskApplication");
            assertThat(post("acme", "/ask", "Where is my order?").statusCode())
                    .as(launch.transcript())
                    .isEqualTo(200);
            assertThat(post("zen", "/ask", "Where is mine?").statusCode()).isEqualTo(200);
            assertThat(post("acme", "/summary", "It is late.").statusCode()).isEqualTo(200);
            HttpResponse<String> told = post("acme", "/tell", "Where is it now?");
            assertThat(told.statusCode()).as(launch.transcript()).isEqualTo(200);
            assertThat(told.body()).startsWith("data:");
            HttpResponse<String> refused = post("zen", "/ask", "Why? ".repeat(20_000));
            assertThat(refused.statusCode()).as(launch.transcript()).isEqualTo(429);
            assertThat(refused.body()).contains("\"code\":\"never-fits\"");

            // A stream of a final class is booked after its last signal.
            BudgetsSnapshot budgets = new BudgetsEndpoint(uri("/actuator/tokenbudgets"))
                    .await(read -> read.reservations().held() == 0, PATIENCE);
            List<BilledCall> billed = stub.ledger().calls();
            assertThat(billed).hasSize(4);
            assertThat(budgets.used("tenant:acme", "tokens"))
                    .as("%s", budgets)
                    .isEqualTo(billed(billed.get(0), billed.get(2), billed.get(3)));
            assertThat(budgets.used("tenant:zen", "tokens")).isEqualTo(billed(billed.get(1)));
            assertThat(budgets.used("agent:desk", "tokens"))
                    .isEqualTo(billed(billed.get(0), billed.get(1), billed.get(3)));
            assertThat(budgets.used("agent:summary", "tokens")).isEqualTo(billed(billed.get(2)));
            long all = stub.ledger().billed().totalTokens();
            assertThat(budgets.used("global", "tokens")).isEqualTo(all);
            assertThat(budgets.used("run:", "tokens")).isEqualTo(all);
            assertThat(budgets.budgets())
                    .filteredOn(entry -> entry.scope().startsWith("run:") && entry.used() > 0)
                    .as("each request's method is a run: %s", budgets)
                    .hasSize(4);
            assertThat(budgets.held()).isZero();
            assertThat(budgets.calls()).isEqualTo(new BudgetsSnapshot.Calls(4, 0, 0));
            assertThat(budgets.reservations().refused()).isEqualTo(1);

            launch.hasOnStandardErrorAtMost(1);
            assertThat(launch.err())
                    .startsWith("[token-budget] the application brings token-budget-core:")
                    .contains("neither charges nor refuses");
            assertThatThrownBy(() -> Budgets.at(status))
                    .as("a page of the agent would show budgets that nothing is booked on")
                    .hasCauseInstanceOf(ConnectException.class);
        }
    }

    private Launch start(String boot, String agent, ProviderStub stub) {
        boolean isOldest = boot.startsWith("3");
        String[] arguments = new String[APPLICATION.length + 6];
        arguments[0] = agent;
        // Nothing is collected while it runs: the budgets of a run that nobody named go when nothing refers to it.
        arguments[1] = "-Xmn1g";
        arguments[2] = "-XX:MetaspaceSize=256m";
        arguments[3] = "-XX:TieredStopAtLevel=1";
        arguments[4] = "-jar";
        arguments[5] = (isOldest ? Fixture.STARTER_BOOT_3 : Fixture.STARTER_BOOT_4).toString();
        System.arraycopy(APPLICATION, 0, arguments, 6, APPLICATION.length);
        return Launch.of(
                Jdk.all().get(0),
                folder,
                Map.of("PORT", String.valueOf(port), "OPENAI_BASE_URL", stub.baseUrl() + (isOldest ? "" : "/v1")),
                arguments);
    }

    private static long billed(BilledCall... calls) {
        long tokens = 0;
        for (BilledCall call : calls) {
            tokens += call.totalTokens();
        }
        return tokens;
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private HttpResponse<String> post(String tenant, String path, String text)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("X-Tenant-Id", tenant)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(text))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
