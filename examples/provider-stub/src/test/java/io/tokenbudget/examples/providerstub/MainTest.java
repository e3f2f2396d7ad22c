package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("java -jar provider-stub.jar")
class MainTest {

    @Test
    @Timeout(60)
    void withoutItsLibrariesItEndsAndSaysWhatIsMissing() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Path.of("target", "classes").toString(),
                        Main.class.getName(),
                        "--port",
                        "0")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .contains("the provider stub cannot start without com/fasterxml/jackson/jr/", "the folder lib")
                .doesNotContain("provider stub at");
        assertThat(process.waitFor()).isEqualTo(1);
    }
}
