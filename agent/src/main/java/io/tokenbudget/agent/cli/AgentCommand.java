package io.tokenbudget.agent.cli;

import io.tokenbudget.agent.Configuration;
import io.tokenbudget.agent.Framework;
import io.tokenbudget.agent.Version;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code java -jar token-budget-agent.jar}: what it is, how to use it, and what an agent would go by here. */
@Command(
        name = "java -jar token-budget-agent.jar",
        description = "Says what the agent is, how to attach it, and which configuration it would go by here.",
        subcommands = CheckCommand.class,
        versionProvider = AgentCommand.VersionLine.class,
        mixinStandardHelpOptions = true)
public final class AgentCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Ends the JVM with 0, or with 1 if the configuration is broken. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new AgentCommand()).execute(arguments));
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        describe(out);
        Configuration configuration = Configuration.read(Map.of(), Configuration.systemProperties(), System.getenv());
        if (!configuration.problems().isEmpty()) {
            configuration.problems().forEach(spec.commandLine().getErr()::println);
            return CommandLine.ExitCode.SOFTWARE;
        }
        out.println();
        out.println("An agent that is started here without options goes by:");
        configuration.values().forEach(value -> out.println("  " + value));
        configuration.warnings().forEach(out::println);
        return CommandLine.ExitCode.OK;
    }

    private static void describe(PrintWriter out) {
        out.println(VersionLine.TEXT + ": holds the model calls of a Java application to token budgets");
        for (Framework framework : Framework.values()) {
            out.println("meters " + framework.title() + " " + framework.tested());
        }
        out.println();
        out.println("Attach it to an application:");
        out.println("  java -javaagent:token-budget-agent.jar=config=budgets.yaml -jar your-application.jar");
        out.println("Check a configuration file, and see what it sets:");
        out.println("  java -jar token-budget-agent.jar check budgets.yaml");
    }

    /** The version. */
    static final class VersionLine implements CommandLine.IVersionProvider {
        static final String TEXT = "token-budget-agent " + Version.OF_AGENT;

        @Override
        public String[] getVersion() {
            return new String[] {TEXT};
        }
    }
}
