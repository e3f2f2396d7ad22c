package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The Micronaut example: its jar, and beside the agent too, one process has one ledger")
class MicronautTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    static List<Jdk> jdks() {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void equalsTheBill(Jdk jdk) throws Exception {
        assertEqualsTheBill(jdk, List.of());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void equalsTheBillBesideTheAgent(Jdk jdk) throws Exception {
        int port = Budgets.freePort();
        String agent = Fixture.agent(Fixture.configuration(folder, port, ""));
        assertThat(assertEqualsTheBill(jdk, List.of(agent))).contains("the application brings token-budget-core");
    }

    /** Returns what the process has written to its standard error. */
    private String assertEqualsTheBill(Jdk jdk, List<String> options) throws IOException, InterruptedException {
        int port = Budgets.freePort();
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("-jar", Fixture.MICRONAUT.toString(), "-micronaut.server.port=" + port));
        try (ProviderStub stub = ProviderStub.start(0);
                Launch launch = Launch.of(
                        jdk,
                        folder,
                        Map.of("PROVIDER_URL", stub.baseUrl() + "/v1", "PROVIDER_KEY", "test"),
                        arguments.toArray(String[]::new))) {
            launch.awaitLine("Server Running");
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/tickets/1?question=Why"))
                    .header("X-Tenant-Id", "acme")
                    .build();
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(launch.transcript()).isEqualTo(200);

            BudgetsSnapshot budgets =
                    new BudgetsEndpoint(URI.create("http://127.0.0.1:" + port + "/tokenbudgets")).read();
            long billed = stub.ledger().billed("test").totalTokens();
            assertThat(billed).isPositive();
            assertThat(budgets.used("tenant:acme", "tokens")).isEqualTo(billed);
            assertThat(budgets.used("agent:assistant", "tokens")).isEqualTo(billed);
            return launch.err();
        }
    }
}
