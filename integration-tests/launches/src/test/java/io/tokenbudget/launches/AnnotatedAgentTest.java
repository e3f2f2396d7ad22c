package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.BilledCall;
import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.GuidePage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The annotated example: its methods, services and streams are runs of whom they name")
class AnnotatedAgentTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @Test
    void thePageShowsTheExample() throws IOException {
        assertThat(GuidePage.missing(
                        Path.of("../../docs/annotation.md"),
                        Path.of("../../examples/annotated-agent/src/main/java/io/tokenbudget/examples/annotatedagent/"
                                + "SupportDesk.java")))
                .isEmpty();
    }

    static List<Jdk> jdks() {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void isHeldToWhatItSaysAndEqualsTheBill(Jdk jdk) {
        try (ProviderStub stub = ProviderStub.start(0)) {
            int port = Budgets.freePort();
            Path configuration = Fixture.write(folder, """
                    status: {port: %d}
                    budgets:
                      - {scope: tenant, limits: ["1k tokens per 1h"]}
                      - {scope: agent, limits: ["100k tokens per 1h"]}
                      - {scope: run, limits: ["5k tokens"]}
                    """.formatted(port));
            try (Launch launch = Launch.of(
                    jdk,
                    folder,
                    Map.of(),
                    Fixture.agent(configuration),
                    "-jar",
                    Fixture.ANNOTATED.toString(),
                    stub.baseUrl() + "/v1")) {
                launch.awaitLine("Press Enter");
                Budgets budgets = Budgets.at(port);
                launch.end();

                List<String> lines = launch.out().lines().toList();
                assertThat(lines).as(launch.transcript()).hasSize(16);
                assertThat(lines.get(0)).startsWith("acme: ").doesNotContain("used up");
                assertThat(lines.get(11)).isEqualTo("acme: We come back to you: tenant:acme is used up.");
                assertThat(lines.get(12)).startsWith("zen: ").doesNotContain("used up");
                assertThat(lines.get(13))
                        .startsWith("dig: LimitExceededException: run:")
                        .contains("700 tokens");
                assertThat(lines.get(14)).startsWith("tell: ").doesNotContain("used up");

                long billed = stub.ledger().billed().totalTokens();
                long dug = billed(stub, "tools-forever");
                long told = stub.ledger().calls().stream()
                        .filter(call -> call.model().equals("gpt-4o-mini"))
                        .mapToLong(BilledCall::totalTokens)
                        .sum();
                assertThat(dug).isBetween(1L, 700L);
                assertThat(budgets.used("agent:researcher")).isEqualTo(billed - dug - told);
                assertThat(budgets.used("agent:digger")).isEqualTo(dug);
                assertThat(budgets.used("agent:narrator")).isEqualTo(told);
                assertThat(budgets.used("tenant:deep")).isEqualTo(dug);
                assertThat(budgets.used("tenant:story")).isEqualTo(told);
                assertThat(budgets.used("tenant:acme") + budgets.used("tenant:zen"))
                        .isEqualTo(billed - dug - told);
                assertThat(budgets.held("tenant:acme")).isZero();
                launch.hasOnStandardErrorAtMost(3);
            }
        }
    }

    private static long billed(ProviderStub stub, String scenario) {
        return stub.ledger().calls().stream()
                .filter(call -> call.model().endsWith("@" + scenario))
                .mapToLong(BilledCall::totalTokens)
                .sum();
    }
}
