package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("C9 never in the way: configuration")
class ConfigurationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path directory;

    private Path file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("budgets.yaml"), yaml);
    }

    @Test
    void withoutAFileItObservesAndSaysSoInOneLine() {
        Configuration read = Configuration.read(Map.of(), Map.of(), Map.of());

        assertThat(read.settings().mode()).isEqualTo(Admission.OBSERVE);
        assertThat(read.problems()).isEmpty();
        assertThat(read.lines()).hasSize(1).first().asString().contains("observes and refuses nothing", "config=FILE");
    }

    @Test
    void withAFileItSaysInOneLineWhatItEnforces() throws IOException {
        Path file = file("budgets: [{scope: agent, limits: [\"100 tokens per 1h\"]}]\nstatus: {port: 8321}\n");

        Configuration read = Configuration.read(Map.of("config", file.toString()), Map.of(), Map.of());

        assertThat(read.settings().mode()).isEqualTo(Admission.ENFORCE);
        assertThat(read.lines()).hasSize(1).first().asString().endsWith(" is ready to enforce 1 budget row of " + file);
    }

    @Test
    void whatOnlyTheStartersDoIsSaidToBeIgnored() throws IOException {
        Path file = file("http: {remaining: true}");

        Configuration read = Configuration.read(Map.of("config", file.toString()), Map.of(), Map.of());

        assertThat(read.settings().mode()).isEqualTo(Admission.ENFORCE);
        assertThat(read.lines()).hasSize(2).last().asString().startsWith("http is the starters'");
    }

    @Test
    void argumentWinsOverPropertyAndThatOverEnvironmentAndThatOverFile() throws IOException {
        Path file = file("hold: 1m\nremember: 1m\nzone: UTC\noverrun: charge-actual\n");

        Configuration read = Configuration.read(
                Map.of("hold", "4m"),
                Map.of(
                        "token-budget.config",
                        file.toString(),
                        "token-budget.hold",
                        "3m",
                        "token-budget.remember",
                        "3m"),
                Map.of(
                        "TOKEN_BUDGET_HOLD",
                        "2m",
                        "TOKEN_BUDGET_REMEMBER",
                        "2m",
                        "TOKEN_BUDGET_OVERRUN",
                        "cap-at-estimate"));

        assertThat(read.problems()).isEmpty();
        assertThat(read.settings().hold()).isEqualTo(Duration.ofMinutes(4));
        assertThat(read.settings().remember()).isEqualTo(Duration.ofMinutes(3));
        assertThat(read.values())
                .anyMatch(value -> value.toString()
                        .equals("overrun = cap-at-estimate (environment variable TOKEN_BUDGET_OVERRUN)"));
    }

    @Test
    void theFileIsNamedByArgumentThenPropertyThenEnvironment() throws IOException {
        String file = file("hold: 7m").toString();
        String missing = directory.resolve("missing.yaml").toString();

        Map<String, String> inProperty = Map.of("token-budget.config", file);
        Map<String, String> inEnvironment = Map.of("TOKEN_BUDGET_CONFIG", missing);

        assertThat(Configuration.read(Map.of(), inProperty, inEnvironment)
                        .settings()
                        .hold())
                .isEqualTo(Duration.ofMinutes(7));
        assertThat(Configuration.read(Map.of("config", missing), inProperty, Map.of())
                        .problems())
                .hasSize(1);
        assertThat(Configuration.read(Map.of(), Map.of(), Map.of("TOKEN_BUDGET_CONFIG", file))
                        .settings()
                        .hold())
                .isEqualTo(Duration.ofMinutes(7));
    }

    @Test
    void aBrokenFileIsReportedOneLineAProblemAndNothingIsEnforced() throws IOException {
        Path file = file("hold: x\nstore: redis\nbudgets: [{scope: agent, limits: [\"100 tokens per 1h\"]}]\n");

        Configuration read = Configuration.read(Map.of("config", file.toString()), Map.of(), Map.of());

        assertThat(read.settings().mode()).isEqualTo(Admission.OBSERVE);
        assertThat(read.problems()).hasSize(2);
        assertThat(read.lines()).hasSize(3).allMatch(line -> !line.contains("\n"));
        assertThat(read.lines().get(0)).contains("budgets.yaml:1", "hold");
        assertThat(read.lines().get(1)).contains("budgets.yaml:2", "store");
        assertThat(read.lines().get(2)).contains("NOTHING IS ENFORCED");
    }

    @Test
    void aMissingFileIsReportedWithItsFullPathAndWhoNamedIt() {
        String reason = ": cannot read " + Path.of("missing (1).yaml").toAbsolutePath() + ": No such file or directory";
        Configuration byOption = Configuration.read(Map.of("config", "missing (1).yaml"), Map.of(), Map.of());
        Configuration byProperty =
                Configuration.read(Map.of(), Map.of("token-budget.config", "missing (1).yaml"), Map.of());
        Configuration byVariable =
                Configuration.read(Map.of(), Map.of(), Map.of("TOKEN_BUDGET_CONFIG", "missing (1).yaml"));

        assertThat(byOption.settings().mode()).isEqualTo(Admission.OBSERVE);
        assertThat(byOption.problems()).containsExactly("agent option config" + reason);
        assertThat(byProperty.problems()).containsExactly("system property token-budget.config" + reason);
        assertThat(byVariable.problems()).containsExactly("environment variable TOKEN_BUDGET_CONFIG" + reason);
    }

    @Test
    void aFileWithoutTheWordConfigIsAnsweredWithIt() {
        Configuration read =
                Configuration.read(AgentArguments.parse("conf/budgets.yaml,mode=observe"), Map.of(), Map.of());

        assertThat(read.problems())
                .containsExactly("agent option conf/budgets.yaml: did you mean config=conf/budgets.yaml?");
        assertThat(read.lines()).last().asString().contains("NOTHING IS ENFORCED");
    }

    @Test
    void anAgentOptionThatIsNoKeyIsReportedAsOne() {
        assertThat(problems("holdd=1m")).containsExactly("agent option holdd: unknown key, did you mean \"hold\"?");
        assertThat(problems("conf=budgets.yaml"))
                .containsExactly("agent option conf: unknown key, did you mean \"config\"?");
        assertThat(problems("agent.logs=calls"))
                .containsExactly("agent option agent.logs: unknown key, did you mean \"agent.log\"?");
        assertThat(problems("colour=red"))
                .singleElement()
                .asString()
                .startsWith("agent option colour: unknown key; allowed: config, agent.log, mode, hold, ");
    }

    private static List<String> problems(String arguments) {
        return Configuration.read(AgentArguments.parse(arguments), Map.of(), Map.of())
                .problems();
    }
}
