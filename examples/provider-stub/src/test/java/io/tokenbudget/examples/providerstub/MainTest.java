package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("java -jar provider-stub.jar")
class MainTest {

    private record Ended(int exit, String printed) {}

    private static Ended run(String classPath, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), printed);
    }

    @Test
    @Timeout(60)
    void withoutItsLibrariesItEndsAndSaysWhatIsMissing() throws IOException, InterruptedException {
        Ended ended = run(Path.of("target", "classes").toString(), "--port", "0");

        assertThat(ended.printed())
                .contains("the provider stub cannot start without com/fasterxml/jackson/jr/", "the folder lib")
                .doesNotContain("provider stub at");
        assertThat(ended.exit()).isEqualTo(1);
    }

    @Test
    @Timeout(60)
    void aTakenPortIsOneLine() throws IOException, InterruptedException {
        try (ProviderStub first = ProviderStub.start(0)) {
            Ended ended = run(System.getProperty("java.class.path"), "--port", String.valueOf(first.port()));

            assertThat(ended.printed().lines())
                    .containsExactly("the provider stub cannot listen on port " + first.port()
                            + ": it is taken, or not allowed here");
            assertThat(ended.exit()).isEqualTo(1);
        }
    }

    @Test
    @Timeout(60)
    void whatItDoesNotKnowIsAnsweredWithItsUse() throws IOException, InterruptedException {
        String classPath = System.getProperty("java.class.path");
        for (String[] wrong : new String[][] {{"--prt", "8080"}, {"--port", "http"}, {"--port", "99999"}, {"--port"}}) {
            Ended ended = run(classPath, wrong);

            assertThat(ended.printed().lines()).containsExactly("usage: java -jar provider-stub.jar [--port 8080]");
            assertThat(ended.exit()).isEqualTo(2);
        }
    }
}
