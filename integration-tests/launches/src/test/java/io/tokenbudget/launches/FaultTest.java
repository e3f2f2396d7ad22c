package io.tokenbudget.launches;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C9 faults: every hook made to throw, and the application sees what it sees without the agent")
class FaultTest {
    private static final String CALLS = "gpt-4o-mini";

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}.{1}")
    @CsvSource({
        "io.tokenbudget.core.estimates.RequestTokens, text",
        "io.tokenbudget.core.estimates.ModelTokens, corrected",
        "io.tokenbudget.core.estimates.ModelTokens, observe",
        "io.tokenbudget.core.estimates.Vocabularies, counter",
        "io.tokenbudget.core.estimates.JtokkitCounter, load",
        "io.tokenbudget.core.memory.MemoryLedger, reserve",
        "io.tokenbudget.core.memory.MemoryLedger, settle",
        "io.tokenbudget.core.memory.MemoryLedger, refund",
        "io.tokenbudget.core.Identity, complete",
        "io.tokenbudget.core.metering.CallMeter, open",
        "io.tokenbudget.core.metering.Rounds, book",
        "io.tokenbudget.core.metering.Metering, push",
        "io.tokenbudget.core.metering.Metering, pop",
        "io.tokenbudget.langchain4j.LangChain4jMeter, open",
        "io.tokenbudget.langchain4j.LangChain4jMeter, close",
        "io.tokenbudget.agent.advice.LangChain4jChatAdvice, enter",
        "io.tokenbudget.agent.advice.LangChain4jChatAdvice, exit",
        "io.tokenbudget.agent.Bridges, of",
        "io.tokenbudget.agent.Weaver, weave",
        "io.tokenbudget.agent.Prefilter, accepts",
        "io.tokenbudget.agent.status.StatusServer, start",
        "io.tokenbudget.core.config.SettingsLoader, load"
    })
    void theApplicationSeesWhatItSeesWithoutTheAgent(String type, String method) {
        try (ProviderStub stub = ProviderStub.start(0)) {
            String without = run(stub, List.of());
            int port = Budgets.freePort();
            Path agent = BrokenAgent.with(folder, type, method);
            Path configuration = Fixture.configuration(folder, port, "hold: 1s");
            String with = run(stub, List.of("-javaagent:" + agent + "=config=" + configuration));

            assertThat(with)
                    .isEqualTo(without)
                    .contains("gpt-4o-mini -> answer ")
                    .contains("error-500 -> ");
        }
    }

    private String run(ProviderStub stub, List<String> options) {
        List<String> command = new java.util.ArrayList<>(options);
        command.addAll(List.of(
                "-cp",
                Fixture.classPath(Fixture.NEWEST),
                "io.tokenbudget.launches.ChatApp",
                stub.baseUrl(),
                "key",
                CALLS,
                "error-500",
                CALLS));
        try (Launch launch = Launch.of(Jdk.all().get(0), folder, Map.of(), command.toArray(String[]::new))) {
            launch.awaitLine("done").end();
            assertThat(launch.err().lines())
                    .as(launch.transcript())
                    .allSatisfy(line -> assertThat(line).startsWith("[token-budget] "))
                    .hasSizeLessThanOrEqualTo(4);
            return launch.out();
        }
    }
}
