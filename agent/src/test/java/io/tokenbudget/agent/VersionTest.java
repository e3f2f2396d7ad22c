package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C9: finding a framework's version out loads nothing of it")
class VersionTest {

    @Test
    void aVersionIsLookedForWithoutLoadingAClassThatMayBeAboutToBeDefined() {
        List<String> asked = new ArrayList<>();
        ClassLoader application = new ClassLoader(null) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                asked.add(name);
                throw new ClassNotFoundException(name);
            }
        };

        assertThat(Version.ofJar(application, "dev.langchain4j.model.chat.ChatModel", "no/pom.properties"))
                .isNull();
        assertThat(asked).isEmpty();
    }
}
