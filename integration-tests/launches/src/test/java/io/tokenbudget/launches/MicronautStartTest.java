package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName(
        "C9: a Micronaut application starts whatever its configuration is, also beside the agent, and says what it found")
class MicronautStartTest {
    private static final String APPLICATION = """
            provider: {url: "http://127.0.0.1:1/v1", key: none, model: gpt-4o-mini}
            endpoints: {tokenbudgets: {sensitive: false}}
            """;
    private static final String BUDGETS = """
            token-budget:
              identity: {tenant: ["literal:first"]}
              budgets:
                - {scope: tenant, limits: ["1M tokens per 1h"]}
                - {scope: agent, limits: ["1M tokens per 1h"]}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private final List<String> options = new ArrayList<>();

    private void file(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    /** What the endpoint answers; the application's log is in {@code said}. */
    private String start(boolean besideTheAgent, String agentsOptions, List<String> said) throws Exception {
        int port = Budgets.freePort();
        List<String> arguments = new ArrayList<>(options);
        if (besideTheAgent) {
            arguments.add("-javaagent:" + Fixture.AGENT + agentsOptions);
        }
        arguments.addAll(List.of(
                "-cp",
                folder + File.pathSeparator + Fixture.MICRONAUT,
                "io.tokenbudget.examples.micronaut.SupportService",
                "-micronaut.server.port=" + port));
        try (Launch launch = Launch.of(Jdk.all().get(0), folder, environment, arguments.toArray(String[]::new))) {
            launch.awaitLine("Server Running");
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/tokenbudgets"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(launch.transcript()).isEqualTo(200);
            said.add(launch.err());
            return answer.body();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withABrokenConfiguration(boolean besideTheAgent) throws Exception {
        file("application.yml", APPLICATION + BUDGETS);
        environment.put("TOKEN_BUDGET_HOLD", "soon");
        Path broken = folder.resolve("broken.yaml");
        Files.writeString(broken, "budgets: {");
        List<String> said = new ArrayList<>();
        assertThat(start(besideTheAgent, "=config=" + broken, said)).contains("\"mode\":\"observe\"");
        assertThat(said.get(0)).contains("hold", "soon", "allowed", "NOTHING IS ENFORCED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withAReferenceToNothing(boolean besideTheAgent) throws Exception {
        file("application.yml", APPLICATION + BUDGETS.replace("literal:first", "literal:${nowhere.at.all}"));
        List<String> said = new ArrayList<>();
        assertThat(start(besideTheAgent, "", said)).contains("\"mode\":\"observe\"");
        assertThat(said.get(0))
                .contains(
                        "application.yml: token-budget.identity.tenant[0]", "${nowhere.at.all}", "NOTHING IS ENFORCED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutAny(boolean besideTheAgent) throws Exception {
        file("application.yml", APPLICATION);
        List<String> said = new ArrayList<>();
        assertThat(start(besideTheAgent, "", said)).contains("\"mode\":\"observe\"");
        assertThat(said.get(0)).contains("observes and refuses nothing: there is no token-budget");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "Of two files the later one's keys count, a list as a whole; and variables of the environment above both")
    void withTwoFiles(boolean besideTheAgent) throws Exception {
        file("application.yml", APPLICATION + BUDGETS + "  mode: observe\n  zone: Europe/Berlin\n");
        file("application-more.yml", """
                token-budget:
                  mode: enforce
                  identity: {tenant: ["literal:second"]}
                  budgets:
                    - {scope: "tenant:second", limits: ["5k tokens per 1h"]}
                """);
        environment.put("MICRONAUT_ENVIRONMENTS", "more");
        environment.put("TOKENBUDGET_PORT", "tcp://10.0.0.1:80");
        environment.put("TOKEN_BUDGET_PORT_80_TCP", "tcp://10.0.0.1:80");
        List<String> said = new ArrayList<>();
        assertThat(start(besideTheAgent, "", said)).contains("\"mode\":\"enforce\"", "tenant:second");
        assertThat(said.get(0)).contains("is ready to enforce 1 budget row");

        environment.put("TOKEN_BUDGET_MODE", "observe");
        assertThat(start(besideTheAgent, "", said)).contains("\"mode\":\"observe\"", "tenant:second");
    }
}
