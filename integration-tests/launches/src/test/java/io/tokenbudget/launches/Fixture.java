package io.tokenbudget.launches;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the build has put what is launched, and the configuration that most launches use. */
final class Fixture {
    static final Path AGENT = built("../../agent/target/token-budget-agent.jar");
    static final Path OPEN_TELEMETRY = built("target/agents/opentelemetry-javaagent.jar");
    static final Path APPS = built("target/classes");
    static final Path OLDEST = built("target/lib-oldest");
    static final Path NEWEST = built("../../examples/langchain4j-agent/target/lib");
    static final Path ANNOTATED = built("../../examples/annotated-agent/target/annotated-agent.jar");
    static final Path MICRONAUT = built("../../examples/micronaut/target/micronaut-example.jar");
    static final Path BOOT_3 = built("../boot3-app/target/boot3-app.jar");
    static final Path BOOT_4 = built("../../examples/spring-boot-agent/target/spring-boot-agent.jar");

    static final Path STARTER_BOOT_3 = built("../boot3-starter-app/target/boot3-starter-app.jar");
    static final Path STARTER_BOOT_4 = built("../../examples/spring-boot-starter/target/spring-boot-starter.jar");

    /** The application that AspectJ weaves: its classes, its libraries, and the weaver. */
    static final Path WOVEN = built("../woven-app/target/classes");

    static final Path WOVEN_LIBRARIES = built("../woven-app/target/lib");
    static final Path ASPECTJ = built("../woven-app/target/agents/aspectjweaver.jar");

    /** The application with guardrails, retrieval and agents: its classes, and its libraries on each line that has all of them. */
    static final Path RUNS = built("../langchain4j-runs-app/target/classes");

    static final Path RUNS_MIDDLE = built("../langchain4j-runs-app/target/lib");
    static final Path RUNS_NEWEST = built("../langchain4j-runs-app-newest/target/lib");

    private Fixture() {}

    private static Path built(String path) {
        Path file = Path.of(path).toAbsolutePath().normalize();
        if (!Files.exists(file)) {
            throw new IllegalStateException(file + " has not been built: run mvn verify from the root");
        }
        return file;
    }

    static String classPath(Path libraries) {
        return APPS + File.pathSeparator + libraries + File.separator + "*";
    }

    static String agent(Path configuration) {
        return "-javaagent:" + AGENT + "=config=" + configuration;
    }

    /** Budgets for one agent name, a status port, and more: rows of budgets, or keys. */
    static Path configuration(Path folder, int port, String more) {
        return write(folder, """
                status: {port: %d}
                identity: {agent: ["literal:app"]}
                budgets:
                  - scope: agent
                    limits: ["100k tokens per 1h"]
                %s
                """.formatted(port, more));
    }

    static Path write(Path folder, String text) {
        try {
            return Files.writeString(folder.resolve("budgets.yaml"), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
