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

/** {@code java -jar token-budget-agent.jar}: version, frameworks, and the effective configuration with its sources. */
@Command(
        name = "java -jar token-budget-agent.jar",
        description = "Says what the agent is and which configuration it would go by here.",
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
        out.println(VersionLine.TEXT);
        for (Framework framework : Framework.values()) {
            out.println("meters " + framework.title() + " " + framework.tested());
        }
        Configuration configuration = Configuration.read(Map.of(), Configuration.systemProperties(), System.getenv());
        if (!configuration.problems().isEmpty()) {
            configuration.lines().forEach(spec.commandLine().getErr()::println);
            return CommandLine.ExitCode.SOFTWARE;
        }
        out.println();
        configuration.values().forEach(out::println);
        out.println();
        configuration.lines().forEach(out::println);
        return CommandLine.ExitCode.OK;
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
