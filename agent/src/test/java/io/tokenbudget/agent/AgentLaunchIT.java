package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.TokenBudgets;
import io.tokenbudget.agent.JvmFork.Result;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.example.AnnotatedApp;
import org.example.BudgetedApp;
import org.example.LangChain4jApp;
import org.example.OtherModelsApp;
import org.example.PlainApp;
import org.example.RunawayApp;
import org.example.ShapesApp;
import org.example.SpringAiApp;
import org.example.WebApp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The agent's jar on unchanged applications")
class AgentLaunchIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path directory;

    private String config(String... limits) throws Exception {
        String yaml = "identity: {tenant: \"literal:default\"}\n" + "budgets: [{scope: tenant, limits: [\""
                + String.join("\", \"", limits) + "\"]}]\n";
        return Files.writeString(directory.resolve("budgets.yaml"), yaml).toString();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The status page opens on a thread of its own: its line may stand before or after the others. */
    private static List<String> besidesStatus(Result result) {
        return result.err().stream()
                .filter(line -> !line.contains("] status at http://"))
                .toList();
    }

    @Test
    void holdsALangChain4jApplicationToItsBudget() throws Exception {
        try (ProviderStub provider = ProviderStub.start(0)) {
            int port = freePort();
            Result result = new JvmFork()
                    .agent("config=" + config("100k tokens per 1h", "2 requests per 1h") + ";status.port=" + port)
                    .run(
                            LangChain4jApp.class,
                            provider.baseUrl() + "/v1",
                            "error-500:1",
                            "gpt-4o-mini:3",
                            "http://127.0.0.1:" + port + "/budgets");

            long billed = provider.ledger().billed().totalTokens();
            assertThat(result.exit()).isZero();
            assertThat(result.out()).hasSize(5);
            assertThat(result.out().get(0)).startsWith("thrown dev.langchain4j.exception.InternalServerException");
            assertThat(result.out().subList(1, 3)).allMatch(line -> line.startsWith("answer "));
            assertThat(result.out().get(3))
                    .startsWith("thrown io.tokenbudget.LimitExceededException")
                    .contains("tenant:default", "2 requests per 1h");
            assertThat(result.out().get(4))
                    .contains(
                            "\"unit\":\"tokens\",\"window\":\"1h\",\"limit\":100000,\"used\":" + billed + ",\"held\":0")
                    .contains("\"unit\":\"requests\",\"window\":\"1h\",\"limit\":2,\"used\":2,\"held\":0")
                    .contains("\"settled\":2,\"refunded\":1,\"expired\":0,\"refused\":1")
                    .contains("\"calls\":{\"metered\":3,\"unmetered\":0,\"usageMissing\":0}");
            assertThat(result.err())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("[token-budget] "))
                    .contains("[token-budget] status at http://127.0.0.1:" + port + "/");
        }
    }

    @Test
    void holdsASpringAiApplicationToItsBudget() throws Exception {
        int port = freePort();
        Result result = new JvmFork()
                .agent("config=" + config("100k tokens per 1h", "3 requests per 1h") + ";status.port=" + port)
                .run(SpringAiApp.class, "2", "http://127.0.0.1:" + port + "/budgets");

        assertThat(result.exit()).isZero();
        assertThat(result.out().subList(0, 2)).containsOnly("answer echo");
        assertThat(result.out().get(2)).isEqualTo("streamed");
        assertThat(result.out().get(3)).startsWith("stream thrown io.tokenbudget.LimitExceededException");
        assertThat(result.out().get(4))
                .contains("\"limit\":100000,\"used\":90,\"held\":0")
                .contains("\"calls\":{\"metered\":3,\"unmetered\":0,\"usageMissing\":0}");
        assertThat(besidesStatus(result)).hasSize(1);
    }

    @Test
    void C9_anApplicationThatRunsAwayIntoAModelHasItsStackTracesAfterwards() throws Exception {
        Result result = new JvmFork()
                .agent("config=" + config("1G tokens per 1h") + ";status.port=0")
                .run(RunawayApp.class);

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("ran away").endsWith("thrown at java.util.ImmutableCollections$ListN");
    }

    @Test
    void metersAModelOfEveryShapeOnce() throws Exception {
        int port = freePort();
        Result result = new JvmFork()
                .agent("config=" + config("100k tokens per 1h") + ";status.port=" + port)
                .run(ShapesApp.class, "http://127.0.0.1:" + port + "/budgets");

        assertThat(result.out().subList(0, 7))
                .containsExactly(
                        "EchoChatModel echo",
                        "Inheriting echo",
                        "OnlyChat echo",
                        "Narrow echo",
                        "ByDefault echo",
                        "Both echo",
                        "Decorator echo");
        assertThat(result.out().get(7))
                .contains("\"used\":210,\"held\":0")
                .contains("\"calls\":{\"metered\":7,\"unmetered\":0,\"usageMissing\":0}");
        assertThat(besidesStatus(result)).hasSize(1);
    }

    @Test
    void metersModelsThatAreNoChatModelsOnceEach() throws Exception {
        int port = freePort();
        Result result = new JvmFork()
                .agent("config=" + config("100k tokens per 1h", "20 requests per 1h") + ";status.port=" + port)
                .run(OtherModelsApp.class, "http://127.0.0.1:" + port + "/budgets");

        assertThat(result.out().subList(0, 6))
                .containsExactly(
                        "embed 3",
                        "embedAll 2",
                        "dimension 3",
                        "image http://localhost/1",
                        "completion there was a town",
                        "spring 4");
        // 7 + 14 + 7 for vectors, the estimate of its prompt for the image, 9 for the completion, 9 for Spring's
        // vector.
        long image = io.tokenbudget.core.metering.TextTokens.estimate("a town under a grey sky");
        assertThat(result.out().get(6))
                .contains("\"limit\":100000,\"used\":" + (7 + 14 + 7 + image + 9 + 9) + ",\"held\":0")
                .contains("\"limit\":20,\"used\":6,\"held\":0")
                .contains("\"calls\":{\"metered\":6,\"unmetered\":0,\"usageMissing\":1}");
        assertThat(besidesStatus(result)).hasSize(1);
    }

    @Test
    void refundsAnEmbeddingThatFails() throws Exception {
        try (ProviderStub provider = ProviderStub.start(0)) {
            int port = freePort();
            Result result = new JvmFork()
                    .agent("config=" + config("1 requests per 1h") + ";status.port=" + port)
                    .run(
                            LangChain4jApp.class,
                            provider.baseUrl() + "/v1/nowhere",
                            "embedding:2",
                            "http://127.0.0.1:" + port + "/budgets");

            assertThat(result.out().subList(0, 2)).allMatch(line -> line.startsWith("thrown dev.langchain4j."));
            assertThat(result.out().get(2))
                    .contains("\"calls\":{\"metered\":2,\"unmetered\":0,\"usageMissing\":0}")
                    .contains("\"refunded\":2");
        }
    }

    @Test
    void readsTheApplicationsContextAndThrowsItsException() throws Exception {
        Path annotations = Path.of(TokenBudgets.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        Result result = new JvmFork()
                .classPathEntry(annotations)
                .agent("config=" + config("1 requests per 1h"))
                .run(AnnotatedApp.class, "acme", "acme", "other");

        assertThat(result.out())
                .containsExactly("acme echo", "acme refused by tenant:acme, reason LIMIT_REACHED", "other echo");
        assertThat(result.err()).hasSize(1);
    }

    @Test
    void methodsWithTheAnnotationAreRunsOfWhomTheyName() throws Exception {
        String yaml = "identity: {agent: \"literal:default\", tenant: \"literal:default\"}\n"
                + "estimates: {default-max-output: 20}\n"
                + "budgets: [{scope: agent, limits: [\"100k tokens per 1h\"]},"
                + " {scope: tenant/user, limits: [\"100k tokens per 1h\"]}]\n";
        String configuration =
                Files.writeString(directory.resolve("methods.yaml"), yaml).toString();
        int port = freePort();
        Result result = new JvmFork()
                .agent("config=" + configuration + ";status.port=" + port)
                .classPathEntry(Path.of(TokenBudgets.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()))
                .run(BudgetedApp.class, "http://127.0.0.1:" + port + "/budgets");

        List<String> out = result.out();
        assertThat(out.subList(0, out.size() - 1))
                .containsExactly(
                        "contract: echo for contract",
                        "generic: echo for generic",
                        "by-default: echo for by-default",
                        "whole: echo for whole, null",
                        "own: echo for own",
                        "part: echo for whole, echo for whole",
                        "inherited: echo for branch, echo for twig, echo for whole",
                        "static: echo for static",
                        "private: 7",
                        "void: true",
                        "loop: 2 -9",
                        "strict: refused by run",
                        "stage: echo for stage, later",
                        "mono: echo for mono, later",
                        "elsewhere: echo for elsewhere",
                        "elsewhere-strict: refused by run",
                        "flux: [echo for flux, echo for flux]",
                        "wrong: thrown io.tokenbudget.core.method.InvalidTokenBudgetException: @TokenBudget on"
                                + " org.example.BudgetedApp.wrong(String): found tenant = \"{order.tenantId}\": no"
                                + " parameter order; allowed: question",
                        "throwing: thrown java.lang.IllegalArgumentException: echo for throwing",
                        "outside: echo for null");
        assertThat(usedBy("agent", out.get(out.size() - 1)))
                .isEqualTo(Map.ofEntries(
                        Map.entry("contract", 30L),
                        Map.entry("generic", 30L),
                        Map.entry("by-default", 30L),
                        Map.entry("whole", 120L),
                        Map.entry("branch", 30L),
                        Map.entry("twig", 30L),
                        Map.entry("own", 30L),
                        Map.entry("static", 30L),
                        Map.entry("private", 30L),
                        Map.entry("final", 30L),
                        Map.entry("loop", 150L),
                        Map.entry("strict", 90L),
                        Map.entry("stage", 120L),
                        Map.entry("mono", 120L),
                        Map.entry("elsewhere", 120L),
                        Map.entry("flux", 60L),
                        Map.entry("throwing", 30L),
                        Map.entry("default", 30L)));
        assertThat(usedBy("tenant", out.get(out.size() - 1))).isEqualTo(Map.of("acme/user:u-1", 30L));
        assertThat(besidesStatus(result)).hasSize(2);
    }

    private static Map<String, Long> usedBy(String dimension, String report) {
        Map<String, Long> used = new TreeMap<>();
        Matcher scopes = Pattern.compile("\"scope\":\"" + dimension + ":([^\"]+)\"[^}]*\"used\":(\\d+)")
                .matcher(report);
        while (scopes.find()) {
            used.put(scopes.group(1), Long.valueOf(scopes.group(2)));
        }
        return used;
    }

    @Test
    void C10_readsTheContextOfAWebApplicationWhoseFrameworkIsInALoaderAboveIt() throws Exception {
        Path annotations = Path.of(TokenBudgets.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Result result = new JvmFork()
                .agent("config=" + config("1 requests per 1h"))
                .run(WebApp.class, annotations.toString(), "acme", "acme", "other");

        assertThat(result.out())
                .containsExactly("acme echo", "acme refused by tenant:acme, reason LIMIT_REACHED", "other echo");
        assertThat(result.err()).hasSize(1);
    }

    @Test
    void saysOnceThatTheLoggingBackendKeepsNoMdc() throws Exception {
        Result result = new JvmFork()
                .agent("config=" + config("100k tokens per 1h") + ";identity.tenant=mdc:customer,literal:none")
                .run(SpringAiApp.class, "2");

        assertThat(result.out().subList(0, 2)).containsOnly("answer echo");
        assertThat(result.err().subList(1, result.err().size()))
                .singleElement()
                .asString()
                .startsWith("[token-budget] nothing is found at mdc:customer: ");
    }

    @Test
    void withoutConfigurationItObservesAndSaysSo() throws Exception {
        Result result = new JvmFork().agent("").run(SpringAiApp.class, "3");

        assertThat(result.out().subList(0, 3)).containsOnly("answer echo");
        assertThat(result.err().get(0)).startsWith("[token-budget] ").contains("observes and refuses nothing");
    }

    @Test
    void aBrokenConfigurationIsReportedAndTheApplicationRuns() throws Exception {
        Path file = Files.writeString(directory.resolve("broken.yaml"), "hold: x\nbudgets: 5\n");

        Result result = new JvmFork().agent("config=" + file).run(SpringAiApp.class, "1");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).first().isEqualTo("answer echo");
        assertThat(result.err().subList(0, 3)).allMatch(line -> line.startsWith("[token-budget] "));
        assertThat(result.err().get(2)).contains("NOTHING IS ENFORCED");
    }

    @Test
    void twoCopiesChargeOnce() throws Exception {
        String options = "config=" + config("1 requests per 1h");
        Path copy = Files.copy(Path.of(JvmFork.AGENT_JAR), directory.resolve("copy.jar"));

        for (JvmFork fork : List.of(
                new JvmFork().agent(options).agent(options),
                new JvmFork().agent(options).jvmOption("-javaagent:" + copy + "=" + options))) {
            Result result = fork.run(SpringAiApp.class, "2");

            assertThat(result.out().get(0)).isEqualTo("answer echo");
            assertThat(result.out().get(1)).startsWith("thrown io.tokenbudget.LimitExceededException");
            assertThat(result.err()).hasSize(2);
            assertThat(result.err().get(0)).contains("the agent is given twice: the second one stands down");
        }
    }

    @Test
    void leavesAnApplicationWithoutFrameworksAlone() throws Exception {
        Path log = directory.resolve("classes.log");

        Result result = new JvmFork()
                .agent("config=missing.yaml")
                .jvmOption("-Xlog:class+load:file=" + log)
                .run(PlainApp.class);

        assertThat(result.out()).containsExactly("hello");
        assertThat(result.err()).isEmpty();
        String loaded = Files.readString(log);
        String beforeMain = loaded.substring(0, loaded.indexOf(" org.example.PlainApp "));
        assertThat(beforeMain).contains(" io.tokenbudget.agent.Agent ");
        assertThat(beforeMain)
                .doesNotContain(" net.bytebuddy.")
                .doesNotContain(" java.util.logging.")
                .doesNotContain(" javax.management.")
                .doesNotContain(" java.nio.file.FileSystems ")
                .doesNotContain(" java.net.InetAddress ");
    }
}
