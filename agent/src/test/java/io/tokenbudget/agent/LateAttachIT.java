package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.example.WaitingApp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same that happens with an AOT cache, from which the application's classes come before the agent. */
@DisplayName("Classes that are loaded before the agent")
class LateAttachIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path directory;

    @Test
    void areMeteredFromThenOn() throws Exception {
        Path config = Files.writeString(
                directory.resolve("budgets.yaml"), "budgets: [{scope: global, limits: [\"1 requests per 1h\"]}]");
        Path err = directory.resolve("err");
        Process process =
                new JvmFork().jvmOption("-XX:+EnableDynamicAgentLoading").start(WaitingApp.class, err);
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                BufferedWriter in = process.outputWriter(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("ready");
            assertThat(call(in, out)).isEqualTo("answer echo");
            attach(process, "config=" + config);
            assertThat(call(in, out)).isEqualTo("answer echo");
            assertThat(call(in, out)).isEqualTo("thrown io.tokenbudget.LimitExceededException");
        }

        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(JvmFork.lines(err)).hasSize(1).allMatch(line -> line.startsWith("[token-budget] "));
    }

    private static String call(BufferedWriter in, BufferedReader out) throws IOException {
        in.write("go\n");
        in.flush();
        return out.readLine();
    }

    private static void attach(Process process, String options) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
        try {
            machine.loadAgent(Path.of(JvmFork.AGENT_JAR).toAbsolutePath().toString(), options);
        } finally {
            machine.detach();
        }
    }
}
