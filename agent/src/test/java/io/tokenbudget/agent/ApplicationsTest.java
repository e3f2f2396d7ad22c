package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.TokenLimiters;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What the agent goes by is told of applications that are its to meter, and of no others")
class ApplicationsTest {
    private static final String CONFIGURATION = "what it goes by";
    private static final String ADVICE = "io.tokenbudget.agent.advice.LangChain4jChatAdvice";

    private final Fixture fixture = new Fixture("1000 tokens per 1h");
    private final List<String> lines = new ArrayList<>();
    private final Applications applications = new Applications(lines::add, () -> lines.add(CONFIGURATION));

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    /** With a copy of its own: one that is found where the agent's is, is the agent's. */
    private URLClassLoader withCore() throws IOException {
        String file = TokenLimiters.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve(file);
        Files.createDirectories(copy.getParent());
        try (InputStream core = TokenLimiters.class.getClassLoader().getResourceAsStream(file)) {
            Files.copy(Objects.requireNonNull(core), copy);
        }
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    @Test
    void itIsToldOnceWithTheFirstOne() {
        applications.seen(new FrameworkLoader());
        applications.seen(new FrameworkLoader());

        assertThat(lines).containsExactly(CONFIGURATION);
    }

    @Test
    void itIsNotToldOfOneThatMetersItselfAndStillOfTheNext() throws Exception {
        try (URLClassLoader itself = withCore()) {
            applications.seen(itself);
            applications.seen(itself);
            assertThat(lines)
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("the application brings token-budget-core")
                    .contains("neither charges nor refuses");
            assertThat(applications.isMetered(itself)).isTrue();

            applications.seen(new FrameworkLoader());
            assertThat(lines).hasSize(2).last().isEqualTo(CONFIGURATION);
        }
    }

    @Test
    void itIsToldAtTheLatestWhenACallIsMetered() throws Exception {
        ClassLoader saysWhatItDoesNotHave = new ClassLoader(new FrameworkLoader()) {
            @Override
            public @Nullable URL getResource(String name) {
                return getClass().getResource("ApplicationsTest.class");
            }
        };
        applications.seen(saysWhatItDoesNotHave);
        assertThat(lines).doesNotContain(CONFIGURATION);

        fixture.bridges(applications).of(saysWhatItDoesNotHave).advice(ADVICE, "chat calls of LangChain4j");
        assertThat(lines).contains(CONFIGURATION);
    }

    @Test
    @DisplayName("C9: one that cannot be asked is taken for one without a limiter")
    void oneThatCannotBeAskedIsTakenForOneWithoutALimiter() {
        applications.seen(new ClassLoader(null) {
            @Override
            public URL getResource(String name) {
                throw new IllegalStateException("this loader is closed");
            }
        });

        assertThat(lines).containsExactly(CONFIGURATION);
    }
}
