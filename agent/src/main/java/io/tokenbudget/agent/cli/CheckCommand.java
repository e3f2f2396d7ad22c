package io.tokenbudget.agent.cli;

import io.tokenbudget.agent.Configuration;
import io.tokenbudget.core.config.LimitsTable;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code check FILE}: everything that is wrong in a file, or the limits it sets and where it finds who is calling; with {@code
 * --as} the limits of one call, and the rows that they come from.
 */
@Command(
        name = "check",
        description = "Validates a configuration file and prints its limits and identity sources. "
                + "Exit code 0 if it is valid, 1 if not, 2 if the command is not used like this.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A YAML file, such as budgets.yaml.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String file;

    @Option(
            names = "--as",
            split = ",",
            paramLabel = "NAME=VALUE",
            description = "Print the limits of a call by this caller, such as "
                    + "--as tenant=acme,plan=pro,agent=planner,model=gpt-4o, and the row that each comes from.")
    private Map<String, String> caller = Map.of();

    @Override
    public Integer call() {
        Configuration configuration = Configuration.ofFile(file, "argument FILE");
        if (!configuration.problems().isEmpty()) {
            configuration.problems().forEach(spec.commandLine().getErr()::println);
            return CommandLine.ExitCode.SOFTWARE;
        }
        PrintWriter out = spec.commandLine().getOut();
        if (!caller.isEmpty()) {
            CallersLimits.lines(configuration, caller).forEach(out::println);
            return CommandLine.ExitCode.OK;
        }
        LimitsTable.lines(configuration.settings()).forEach(out::println);
        out.println();
        configuration.values().stream()
                .filter(value -> value.key().startsWith("identity."))
                .forEach(out::println);
        configuration.warnings().forEach(out::println);
        return CommandLine.ExitCode.OK;
    }
}
