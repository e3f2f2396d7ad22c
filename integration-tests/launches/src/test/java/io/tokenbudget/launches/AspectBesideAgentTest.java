package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.BilledCall;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName(
        "AspectJ's weaver and the agent together, in both orders: each method is one run, and the ledger equals the bill")
class AspectBesideAgentTest {
    private static final String BUDGETS = """
            identity: {tenant: ["literal:nobody"], agent: ["literal:outside"]}
            budgets:
              - {scope: tenant, limits: ["1M tokens per 1h"]}
              - {scope: agent, limits: ["1M tokens per 1h"]}
              - {scope: run, limits: ["10k tokens"]}
              - {scope: global, limits: ["1M tokens per 1h"]}
            """;

    /** What an application has only where it meters itself. */
    private static final List<String> OF_LIMITERS =
            List.of("token-budget-core-", "token-budget-aspectj-", "token-budget-langchain4j-");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private final int port = Budgets.freePort();

    @ParameterizedTest(name = "the agent first: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("C1: with token-budget-aspectj its limiter is the only one")
    void withTheAspect(boolean agentFirst) throws Exception {
        try (ProviderStub stub = ProviderStub.start(0);
                Launch launch = start(agentFirst, "WithLimiter", jar -> true, stub)) {
            launch.awaitLine("done");
            Map<String, Long> used = new HashMap<>();
            for (String line : launch.out().lines().toList()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("budget")) {
                    assertThat(words[4]).as(line).isEqualTo("0");
                    used.merge(words[1], Long.valueOf(words[3]), Long::sum);
                }
            }
            assertThat(launch.out()).as(launch.transcript()).contains("Calls[metered=7, unmetered=0, usageMissing=0]");
            assertThat(used).containsKey("global");
            assertEqualsTheBill(used, stub, launch);
            assertThat(launch.end().hasOnStandardErrorAtMost(1).err())
                    .startsWith("[token-budget] the application brings token-budget-core:");
        }
    }

    @ParameterizedTest(name = "the agent first: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "C1: with the annotations alone, and aspects of the application's own, the agent's limiter is the only one")
    void withTheAnnotationsAlone(boolean agentFirst) throws Exception {
        try (ProviderStub stub = ProviderStub.start(0);
                Launch launch = start(
                        agentFirst,
                        "WithoutLimiter",
                        jar -> OF_LIMITERS.stream().noneMatch(jar::startsWith),
                        stub)) {
            launch.awaitLine("done");
            Budgets budgets = Budgets.at(port);
            assertThat(budgets.calls("metered")).as("%s", budgets).isEqualTo(7);
            assertThat(budgets.calls("unmetered")).isZero();
            assertThat(budgets.reservations("held")).isZero();
            assertThat(budgets.reservations("refused")).isEqualTo(1);
            assertEqualsTheBill(budgets.used(), stub, launch);
            assertThat(launch.end().hasOnStandardErrorAtMost(2).err()).contains("is ready to enforce 4 budget rows");
        }
    }

    private Launch start(boolean agentFirst, String main, Predicate<String> jars, ProviderStub stub)
            throws IOException {
        Path budgets = Fixture.write(folder, BUDGETS);
        String weaver = "-javaagent:" + Fixture.ASPECTJ;
        String agent = Fixture.agent(budgets) + ",status.port=" + port;
        List<String> arguments = new ArrayList<>(agentFirst ? List.of(agent, weaver) : List.of(weaver, agent));
        arguments.addAll(List.of(
                // Nothing is collected while it runs: the budgets of a run that nobody named go when nothing refers to
                // it.
                "-Xmn1g",
                "-XX:MetaspaceSize=256m",
                "-cp",
                Fixture.WOVEN + File.pathSeparator + libraries(jars),
                "io.tokenbudget.launches.woven." + main,
                stub.baseUrl() + "/v1",
                budgets.toString()));
        return Launch.of(Jdk.all().get(0), folder, Map.of(), arguments.toArray(String[]::new));
    }

    private static String libraries(Predicate<String> jars) throws IOException {
        try (Stream<Path> libraries = Files.list(Fixture.WOVEN_LIBRARIES)) {
            return libraries
                    .filter(jar -> jars.test(jar.getFileName().toString()))
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** What {@code Desk} does: plan asks twice, research once and plans, tell streams once, and one call is of no method. */
    private static void assertEqualsTheBill(Map<String, Long> used, ProviderStub stub, Launch launch) {
        List<BilledCall> calls = stub.ledger().calls();
        assertThat(calls).as(launch.transcript()).hasSize(7);
        assertThat(used)
                .containsEntry("agent:planner", billed(calls, 0, 1, 3, 4))
                .containsEntry("agent:researcher", billed(calls, 2))
                .containsEntry("agent:teller", billed(calls, 5))
                .containsEntry("agent:outside", billed(calls, 6))
                .containsEntry("tenant:acme", billed(calls, 0, 1, 5))
                .containsEntry("tenant:zen", billed(calls, 2, 3, 4))
                .containsEntry("tenant:nobody", billed(calls, 6))
                .containsEntry("global", billed(calls, 0, 1, 2, 3, 4, 5, 6));
        assertThat(used.entrySet().stream()
                        .filter(budget -> budget.getKey().startsWith("run:") && budget.getValue() > 0)
                        .map(Map.Entry::getValue))
                .as("each method that is called from outside is one run, and the call that is of none: %s", used)
                .containsExactlyInAnyOrder(
                        billed(calls, 0, 1), billed(calls, 2, 3, 4), billed(calls, 5), billed(calls, 6));
        assertThat(launch.out())
                .as("the application's own aspect is woven beside it")
                .containsPattern("around 5 methods and [78] calls")
                .contains(
                        "dig -> io.tokenbudget.LimitExceededException of jdk.internal.loader.ClassLoaders$AppClassLoader");
    }

    private static long billed(List<BilledCall> calls, int... which) {
        long tokens = 0;
        for (int index : which) {
            tokens += calls.get(index).totalTokens();
        }
        return tokens;
    }
}
