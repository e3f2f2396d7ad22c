package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("C9 real launches: the application starts, our number is the provider's, nothing of ours is seen")
class LaunchTest {
    private static final String[] CALLS = {"gpt-4o-mini", "error-500", "gpt-4o-mini"};

    private final ProviderStub stub = ProviderStub.start(0);
    private final int port = Budgets.freePort();

    @TempDir
    private Path folder;

    static List<Jdk> jdks() {
        return Jdk.all();
    }

    static Stream<Arguments> libraries() {
        return jdks().stream()
                .flatMap(jdk -> Stream.of(
                        Arguments.of(jdk, "oldest", Fixture.OLDEST), Arguments.of(jdk, "newest", Fixture.NEWEST)));
    }

    static Stream<Arguments> fatJars() {
        return jdks().stream()
                .flatMap(jdk ->
                        Stream.of(Arguments.of(jdk, "3.5", Fixture.BOOT_3), Arguments.of(jdk, "4.0", Fixture.BOOT_4)));
    }

    @AfterEach
    void stop() {
        stub.close();
    }

    private Launch chat(Jdk jdk, Path libraries, String... options) {
        List<String> command = new ArrayList<>(List.of(options));
        command.addAll(List.of("-cp", Fixture.classPath(libraries), "io.tokenbudget.launches.ChatApp"));
        command.addAll(List.of(stub.baseUrl(), "key"));
        command.addAll(List.of(CALLS));
        return Launch.of(jdk, folder, Map.of(), command.toArray(String[]::new));
    }

    private long billed() {
        return stub.ledger().billed().totalTokens();
    }

    /** Two answered calls and a refunded one, equal to the bill. */
    private void assertAccounts() {
        Budgets budgets = Budgets.at(port);
        assertThat(billed()).isPositive();
        assertThat(budgets.used("agent:app")).as("%s", budgets).isEqualTo(billed());
        assertThat(budgets.held("agent:app")).isZero();
        assertThat(budgets.calls("metered")).isEqualTo(3);
        assertThat(budgets.calls("unmetered")).isZero();
        assertThat(budgets.reservations("settled")).isEqualTo(2);
        assertThat(budgets.reservations("refunded")).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}, {1} LangChain4j")
    @MethodSource("libraries")
    void plainClassPath(Jdk jdk, String line, Path libraries) {
        try (Launch launch = chat(jdk, libraries, Fixture.agent(Fixture.configuration(folder, port, "")))) {
            launch.awaitLine("done");
            assertAccounts();
            launch.end().hasOnStandardErrorAtMost(3);
            assertThat(launch.out()).contains("sees nothing").contains("gpt-4o-mini -> answer ");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theAgentGivenTwiceChargesOnce(Jdk jdk) {
        String agent = Fixture.agent(Fixture.configuration(folder, port, ""));
        try (Launch launch = chat(jdk, Fixture.NEWEST, agent, agent)) {
            launch.awaitLine("done");
            assertAccounts();
            launch.end().hasOnStandardErrorAtMost(3);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aTemporaryFolderThatCannotBeUsedChangesNothing(Jdk jdk) {
        String agent = Fixture.agent(Fixture.configuration(folder, port, ""));
        try (Launch launch = chat(jdk, Fixture.NEWEST, "-Djava.io.tmpdir=/proc/nowhere", agent)) {
            launch.awaitLine("done");
            assertAccounts();
            launch.end();
            assertThat(launch.err().lines().filter(line -> line.startsWith("[token-budget]")))
                    .hasSizeLessThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void besideOpenTelemetryInBothOrders(Jdk jdk) {
        String ours = Fixture.agent(Fixture.configuration(folder, port, ""));
        String theirs = "-javaagent:" + Fixture.OPEN_TELEMETRY;
        String[] quiet = {
            "-Dotel.javaagent.logging=none",
            "-Dotel.traces.exporter=none",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none"
        };
        for (List<String> order : List.of(List.of(ours, theirs), List.of(theirs, ours))) {
            stub.ledger().clear();
            List<String> options = new ArrayList<>(List.of(quiet));
            options.addAll(order);
            try (Launch launch = chat(jdk, Fixture.NEWEST, options.toArray(String[]::new))) {
                launch.awaitLine("done");
                assertAccounts();
                launch.end();
                assertThat(launch.err().lines().filter(line -> line.startsWith("[token-budget]")))
                        .as(launch.transcript())
                        .hasSizeLessThanOrEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void twoLoadersWithDifferentLangChain4jShareOneLedger(Jdk jdk) {
        List<String> command = new ArrayList<>(List.of(
                Fixture.agent(Fixture.configuration(folder, port, "")),
                "-cp",
                Fixture.APPS.toString(),
                "io.tokenbudget.launches.TwoLoadersApp",
                Fixture.OLDEST.toString(),
                Fixture.NEWEST.toString(),
                Fixture.APPS.toString(),
                stub.baseUrl(),
                "key"));
        command.addAll(List.of(CALLS));
        try (Launch launch = Launch.of(jdk, folder, Map.of(), command.toArray(String[]::new))) {
            launch.awaitLine("done");
            Budgets budgets = Budgets.at(port);
            assertThat(budgets.used("agent:app")).isEqualTo(billed());
            assertThat(budgets.calls("metered")).isEqualTo(6);
            assertThat(budgets.reservations("refunded")).isEqualTo(2);
            launch.end().hasOnStandardErrorAtMost(2);
            assertThat(launch.out()).contains("sees nothing");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anApplicationWithoutAnyFrameworkIsLeftAlone(Jdk jdk) {
        String agent = Fixture.agent(Fixture.configuration(folder, port, ""));
        String classPath = Fixture.APPS.toString();
        try (Launch launch =
                Launch.of(jdk, folder, Map.of(), agent, "-cp", classPath, "io.tokenbudget.launches.PlainApp")) {
            launch.end().hasOnStandardErrorAtMost(1);
            assertThat(launch.out().lines()).containsExactly("sees nothing", "hello");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aRefusalReachesTheApplicationAndNotTheProvider(Jdk jdk) {
        Path tight = Fixture.write(folder, """
                status: {port: %d}
                budgets:
                  - scope: global
                    limits: ["120 tokens per 1h"]
                """.formatted(port));
        try (Launch launch = chat(jdk, Fixture.NEWEST, Fixture.agent(tight))) {
            launch.awaitLine("done").end().hasOnStandardErrorAtMost(2);
            assertThat(launch.out())
                    .contains("gpt-4o-mini -> LimitExceededException global: limit of 120 tokens per 1h reached:");
            assertThat(stub.ledger().billed().calls()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aBrokenConfigurationIsNamedAndTheApplicationRuns(Jdk jdk) {
        Path broken = Fixture.write(folder, """
                budgets:
                  - scope: agent
                    limits: ["100k token for 1h"]
                """);
        try (Launch launch = chat(jdk, Fixture.NEWEST, Fixture.agent(broken))) {
            launch.awaitLine("done").end().hasOnStandardErrorAtMost(3);
            assertThat(launch.err()).contains("budgets.yaml:3").contains("budgets[0].limits[0]");
            assertThat(launch.out()).contains("gpt-4o-mini -> answer ");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aMissingConfigurationIsNamedAndTheApplicationRuns(Jdk jdk) {
        Path missing = folder.resolve("nowhere.yaml");
        try (Launch launch = chat(jdk, Fixture.NEWEST, Fixture.agent(missing))) {
            launch.awaitLine("done").end().hasOnStandardErrorAtMost(2);
            assertThat(launch.err()).contains("nowhere.yaml");
            assertThat(launch.out()).contains("gpt-4o-mini -> answer ");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void withoutAConfigurationItObservesAndSaysSoInOneLine(Jdk jdk) {
        try (Launch launch = chat(jdk, Fixture.NEWEST, "-javaagent:" + Fixture.AGENT)) {
            launch.awaitLine("done").end().hasOnStandardErrorAtMost(1);
            assertThat(launch.err()).contains("observ");
            assertThat(launch.out()).contains("gpt-4o-mini -> answer ");
        }
    }

    @ParameterizedTest(name = "{0}, Spring Boot {1}")
    @MethodSource("fatJars")
    void springBootFatJar(Jdk jdk, String line, Path jar) throws IOException, InterruptedException {
        int http = Budgets.freePort();
        String baseUrl = line.startsWith("3") ? stub.baseUrl().replace("/v1", "") : stub.baseUrl();
        Map<String, String> environment =
                Map.of("PORT", String.valueOf(http), "OPENAI_BASE_URL", baseUrl, "OPENAI_API_KEY", "key");
        Path configuration = Fixture.write(folder, """
                status: {port: %d}
                identity: {user: ["header:X-User-Id", "literal:nobody"]}
                budgets:
                  - {scope: tenant, limits: ["100k tokens per 1h"]}
                  - {scope: user, limits: ["100k tokens per 1h"]}
                """.formatted(port));
        String agent = Fixture.agent(configuration);
        try (Launch launch = Launch.of(jdk, folder, environment, agent, "-jar", jar.toString())) {
            String answer = ask(launch, http, "acme");
            assertThat(answer).isNotBlank();
            ask(launch, http, "globex");

            Budgets budgets = Budgets.at(port);
            assertThat(budgets.used("tenant:acme")).isPositive();
            assertThat(budgets.used("tenant:acme") + budgets.used("tenant:globex"))
                    .as("%s", budgets)
                    .isEqualTo(billed());
            assertThat(budgets.used("user:ann of acme"))
                    .as("the header of the request, without a line of code: %s", budgets)
                    .isEqualTo(budgets.used("tenant:acme"));
            assertThat(budgets.used("user:ann of globex")).isEqualTo(budgets.used("tenant:globex"));
            assertThat(budgets.scopes("user")).hasSize(2);
            assertThat(budgets.calls("metered")).as("two rounds a question").isEqualTo(4);
            launch.hasOnStandardErrorAtMost(2);
        }
    }

    /** Asks as soon as the application listens. */
    private static String ask(Launch launch, int port, String tenant) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/ask?q=How%20is%20the%20weather"))
                .header("X-Tenant-Id", tenant)
                .header("x-user-id", "ann of " + tenant)
                .build();
        long deadline = System.nanoTime() + 180_000_000_000L;
        while (true) {
            try {
                HttpResponse<String> response =
                        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(launch.transcript()).isEqualTo(200);
                return response.body();
            } catch (java.net.ConnectException starting) {
                assertThat(System.nanoTime()).as(launch.transcript()).isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theJarDescribesItself(Jdk jdk) throws IOException {
        Path configuration = Fixture.configuration(folder, 0, "");
        try (Launch launch =
                Launch.of(jdk, folder, Map.of(), "-jar", Fixture.AGENT.toString(), "check", configuration.toString())) {
            launch.end().hasOnStandardErrorAtMost(0);
            assertThat(launch.out()).contains("agent").contains("100k tokens per 1h");
        }
        assertThat(Files.size(Fixture.AGENT)).as("one file, not a giant").isLessThan(12_000_000);
    }
}
