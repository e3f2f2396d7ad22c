package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.BilledCall;
import io.tokenbudget.examples.providerstub.ProviderStub;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An unchanged application with guardrails, retrieval, tools, streams and agents, over real HTTP. A run may make four
 * requests of 3,000 tokens in all, and some scenarios have a model that no budget can pay for.
 */
@DisplayName(
        "C7 reprompts are charged, C8 a refusal ends its run, C10 on whatever thread, C11 the outermost call is the run")
class LangChain4jRunsTest {
    /**
     * LangChain4j's HTTP client hands answers out on the common pool, and what is asked again after a guardrail waits there for
     * another answer: with one worker, as on two cores since JDK 25, it waits for ever, with us or without.
     */
    private static final String WORKERS = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=8";

    private static final String REFUSED = "LimitExceededException";
    private static final int REQUESTS = 4;
    private static final Pattern ENDED = Pattern.compile("(\\S+) -> (.*) \\| (.*)");

    /** How a scenario ends, and how many calls of it the provider sees. */
    private record Expected(String end, int calls) {}

    private static final Map<String, Expected> EXPECTED = expected();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private static Map<String, Expected> expected() {
        Map<String, Expected> all = new TreeMap<>();
        String byGuardrail = "GuardrailException < " + REFUSED;
        String byAgent = "AgentInvocationException";
        all.put("tool", new Expected(REFUSED, 1));
        all.put("tool-error-handler", new Expected(REFUSED, 1));
        all.put("concurrent-tools", new Expected(REFUSED, 1));
        all.put("sixteen-concurrent-tools", new Expected(REFUSED, REQUESTS));
        all.put("endless-tools", new Expected(REFUSED, REQUESTS));
        all.put("endless-tools-streamed", new Expected(REFUSED, REQUESTS));
        all.put("sub-agent-in-tool", new Expected(REFUSED, 2));
        all.put("streamed-concurrent-tools", new Expected(REFUSED, 1));
        all.put("fallback", new Expected("answer", 2)); // one of them fails and is not billed
        all.put("fallback-on-purpose", new Expected("answer", 1));
        all.put("input-guardrail", new Expected(byGuardrail, 0));
        all.put("output-guardrail", new Expected(byGuardrail, 1));
        all.put("reprompts", new Expected("answer", 3));
        all.put("endless-reprompts", new Expected(REFUSED, REQUESTS));
        all.put("streamed-reprompt", new Expected(REFUSED, REQUESTS));
        all.put("endless-stream", new Expected(REFUSED, 1));
        all.put("streamed-reprompt-that-is-endless", new Expected(REFUSED, 2));
        all.put("query-router", new Expected(REFUSED, 0));
        all.put("query-router-that-asks-all", new Expected(REFUSED, 0));
        all.put("query-transformer", new Expected(REFUSED, 0));
        all.put("content-aggregator", new Expected(REFUSED, 0));
        all.put("concurrent-retrievers", new Expected(REFUSED, 0));
        all.put("agent", new Expected("answer", 1));
        all.put("sequence", new Expected(byAgent, REQUESTS));
        all.put("short-sequence", new Expected("answer", 3));
        all.put("loop", new Expected(byAgent, REQUESTS));
        all.put("parallel", new Expected(byAgent, REQUESTS));
        all.put("parallel-with-executor", new Expected(byAgent, REQUESTS));
        all.put("async", new Expected(byAgent, REQUESTS));
        all.put("streaming", new Expected(REFUSED, REQUESTS));
        all.put("nested", new Expected(byAgent, REQUESTS));
        all.put("supervisor", new Expected(REFUSED, REQUESTS));
        all.put("retrying-error-handler", new Expected(byAgent, REQUESTS));
        all.put("answering-error-handler", new Expected("answer", REQUESTS));
        return all;
    }

    static Stream<Arguments> lines() {
        return Stream.concat(
                // 1.11 itself waits for ever for an agent in whose place an error handler has answered.
                Stream.of(Arguments.of("1.11", Jdk.all().get(0), Fixture.RUNS_MIDDLE, "answering-error-handler")),
                Jdk.all().stream().map(jdk -> Arguments.of("1.19", jdk, Fixture.RUNS_NEWEST, "none")));
    }

    @ParameterizedTest(name = "LangChain4j {0} on {1}")
    @MethodSource("lines")
    void everyScenarioEndsAsItShould(String line, Jdk jdk, Path libraries, String leftOut) {
        try (ProviderStub stub = ProviderStub.start(0)) {
            int port = Budgets.freePort();
            Path configuration = Fixture.write(folder, """
                    status: {port: %d}
                    identity: {agent: ["literal:app"]}
                    budgets:
                      - {scope: agent, limits: ["100k tokens per 1h"]}
                      - {scope: run, limits: ["3k tokens", "%d requests"]}
                      - {scope: model, limits: ["1M tokens per 1h"]}
                    """.formatted(port, REQUESTS));
            String classPath = Fixture.RUNS + File.pathSeparator + libraries + File.separator + "*";
            try (Launch launch = Launch.of(
                    jdk,
                    folder,
                    Map.of(),
                    Fixture.agent(configuration),
                    WORKERS,
                    "-cp",
                    classPath,
                    "io.tokenbudget.launches.runs.RunsApp",
                    stub.baseUrl() + "/v1",
                    leftOut)) {
                launch.awaitLine("done");
                Budgets budgets = Budgets.at(port);
                launch.end();

                assertEach(launch.out(), stub, leftOut);
                assertBooked(budgets, stub);
                assertThat(budgets.held("agent:app")).isZero();
                assertThat(budgets.calls("unmetered")).isZero();
                launch.hasOnStandardErrorAtMost(2);
            }
        }
    }

    /** To the token, but for streams that were cut: what the provider had sent by then nobody tells. */
    private static void assertBooked(Budgets budgets, ProviderStub stub) {
        long billed = stub.ledger().calls().stream()
                .filter(call -> call.billed() && !call.model().endsWith("@endless"))
                .mapToLong(BilledCall::totalTokens)
                .sum();
        long used = budgets.scopes("model").stream()
                .filter(scope -> !scope.endsWith("@endless"))
                .mapToLong(budgets::used)
                .sum();
        assertThat(billed).isPositive();
        assertThat(used).as(budgets.toString()).isEqualTo(billed);
    }

    private static void assertEach(String out, ProviderStub stub, String leftOut) {
        Map<String, Integer> calls = new TreeMap<>();
        for (BilledCall call : stub.ledger().calls()) {
            calls.merge(call.model().substring(0, call.model().indexOf('@')), 1, Integer::sum);
        }
        Map<String, String> ends = new TreeMap<>();
        out.lines().map(ENDED::matcher).filter(Matcher::matches).forEach(ended -> {
            ends.put(ended.group(1), ended.group(2));
            assertThat(ended.group(3))
                    .as("the next user after %s", ended.group(1))
                    .isEqualTo("answer");
        });
        Map<String, Expected> expectedHere = new TreeMap<>(EXPECTED);
        expectedHere.remove(leftOut);
        SoftAssertions all = new SoftAssertions();
        expectedHere.forEach((name, expected) -> {
            String end = String.valueOf(ends.get(name));
            all.assertThat(end).as(name).contains(expected.end);
            if (!expected.end.equals("answer")) {
                all.assertThat(end).as(name).endsWith(REFUSED);
            }
            all.assertThat(calls.getOrDefault(name, 0)).as(name + " calls").isEqualTo(expected.calls);
        });
        all.assertThat(ends.keySet()).isEqualTo(expectedHere.keySet());
        all.assertAll();
    }
}
