package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("C11 a run without code: what an unchanged application asks an AI service for is one run")
class RunTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    static Path[] libraries() {
        return new Path[] {Fixture.OLDEST, Fixture.NEWEST};
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void aToolLoopEndsAtTheCeilingOfItsRunAndTheNextRunStartsAnew(Path libraries) {
        try (ProviderStub stub = ProviderStub.start(0)) {
            int port = Budgets.freePort();
            Path configuration = Fixture.configuration(folder, port, "  - {scope: run, limits: [\"1500 tokens\"]}");
            try (Launch launch = Launch.of(
                    Jdk.all().get(0),
                    folder,
                    Map.of(),
                    Fixture.agent(configuration),
                    // Nothing is collected while it runs: the budgets of a run that nobody named go when nothing refers
                    // to it.
                    "-Xmn1g",
                    "-XX:MetaspaceSize=256m",
                    "-cp",
                    Fixture.classPath(libraries),
                    "io.tokenbudget.launches.AgentApp",
                    stub.baseUrl() + "/v1",
                    "tools-100",
                    "tools-1",
                    "tools-parallel")) {
                launch.awaitLine("done");
                Budgets budgets = Budgets.at(port);
                long billed = stub.ledger().billed().totalTokens();
                launch.end();

                assertThat(launch.out())
                        .as(launch.transcript())
                        .contains("tools-100 -> LimitExceededException run:")
                        .contains("1500 tokens")
                        .contains("tools-1 -> answer ")
                        .contains("tools-parallel -> answer ");
                assertThat(budgets.used("agent:app")).isEqualTo(billed);
                assertThat(budgets.held("agent:app")).isZero();
                // Tools on other threads belong to the run that asked for them.
                assertThat(budgets.scopes("run")).as(budgets.toString()).hasSize(3);
                assertThat(budgets.reservations("refused")).isEqualTo(1);
            }
        }
    }
}
