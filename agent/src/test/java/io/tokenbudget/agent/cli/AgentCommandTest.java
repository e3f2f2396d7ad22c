package io.tokenbudget.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.agent.Version;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AgentCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new AgentCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void saysWhatItIsHowToUseItAndWhatAnAgentWouldGoByHere() {
        assertThat(run()).isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines.subList(0, 10))
                .containsExactly(
                        "token-budget-agent " + Version.OF_AGENT
                                + ": holds the model calls of a Java application to token budgets",
                        "meters LangChain4j 1.0.1 to 1.19.0",
                        "meters Spring AI 1.0.3, 1.1.2 and 2.0.1",
                        "",
                        "Attach it to an application:",
                        "  java -javaagent:token-budget-agent.jar=config=budgets.yaml -jar your-application.jar",
                        "Check a configuration file, and see what it sets:",
                        "  java -jar token-budget-agent.jar check budgets.yaml",
                        "",
                        "An agent that is started here without options goes by:");
        assertThat(lines.subList(10, lines.size()))
                .contains("  mode = observe (there is no configuration file)", "  hold = 5m (default)")
                .allMatch(line -> line.startsWith("  ") && line.contains(" = "));
    }

    @Test
    void namesWhatIsWrongWithWhatAnAgentWouldGoByHere() {
        System.setProperty("token-budget.hold", "x");
        try {
            assertThat(run()).isEqualTo(1);
        } finally {
            System.clearProperty("token-budget.hold");
        }
        assertThat(err.toString().lines()).singleElement().asString().startsWith("system property token-budget.hold: ");
    }

    @Test
    void checkPrintsTheLimitsAndTheIdentitySourcesOfAValidFile() throws Exception {
        Path file = Files.writeString(directory.resolve("budgets.yaml"), """
                identity:
                  user: ["mdc:userName"]
                budgets: [{scope: agent, limits: ["100k tokens per 1h"]}]
                """);

        assertThat(run("check", file.toString())).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "scope  limit",
                        "agent  100k tokens per 1h",
                        "",
                        "identity.agent = literal:default (default)",
                        "identity.tenant = mdc:tenant, property:tenant, literal:default (default)",
                        "identity.user = mdc:userName (" + file + ":2)");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void checkNamesBudgetsThatOnlyCodeCanBringToLife() throws Exception {
        Path file = Files.writeString(directory.resolve("budgets.yaml"), """
                budgets:
                  - scope: user
                    limits: ["100k tokens per 1h"]
                """);

        assertThat(run("check", file.toString())).isZero();
        assertThat(out.toString().lines())
                .last()
                .isEqualTo(file + ":2: budgets[0].scope: user has no source under identity: this budget applies only"
                        + " where the application's BudgetContext names one");
    }

    @Test
    void checkAsACallerPrintsWhatThePageOnPlansSays() throws Exception {
        String page = Files.readString(Path.of("../docs/plans.md"));
        Path file = Files.writeString(directory.resolve("budgets.yaml"), block("yaml", page));
        String command = block("sh", page).strip();
        String caller = command.substring(command.indexOf("--as ") + "--as ".length());

        assertThat(run("check", file.toString(), "--as", caller)).isZero();

        assertThat(out.toString().replace(file.toString(), "budgets.yaml")).isEqualTo(block("text", page));
        assertThat(err.toString()).isEmpty();
    }

    private static String block(String kind, String page) {
        String begin = "```" + kind + "\n";
        int start = page.indexOf(begin) + begin.length();
        return page.substring(start, page.indexOf("```", start));
    }

    @Test
    void checkAsACallerWithoutBudgetsSaysSo() throws Exception {
        Path file = Files.writeString(
                directory.resolve("budgets.yaml"), "budgets: [{scope: user, limits: [\"1 request per 1m\"]}]");

        assertThat(run("check", file.toString(), "--as", "tenant=acme")).isZero();

        assertThat(out.toString().lines()).containsExactly("no budget applies to this call");
    }

    @Test
    void checkPrintsEveryProblemOfABrokenFile() throws Exception {
        Path file = Files.writeString(directory.resolve("budgets.yaml"), "hold: x\nstore: redis\n");

        assertThat(run("check", file.toString())).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(2);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void wrongUseIsNotTakenForAWrongFile() {
        assertThat(run("check")).isEqualTo(2);
        assertThat(run("chekc", "budgets.yaml")).isEqualTo(2);
    }

    @Test
    void checkOfAMissingFileFailsAndSaysWhichArgumentNamesIt() {
        Path missing = directory.resolve("missing.yaml");

        assertThat(run("check", missing.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly("argument FILE: cannot read " + missing + ": No such file or directory");
    }
}
