package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IgnoredTest {
    private static final ClassLoader APPLICATION = new FrameworkLoader();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.acme.Model$$SpringCGLIB$$0",
                "com.acme.Model$$EnhancerByCGLIB$$1a2b",
                "jdk.proxy2.$Proxy17",
                "com.acme.$Proxy17",
                "com.acme.Model_ClientProxy",
                "com.acme.Model$Intercepted",
                "com.acme.Model$MockitoMock$123",
                "io.tokenbudget.langchain4j.MeteredChatModel",
                "io.opentelemetry.javaagent.Wrapper",
                "datadog.trace.Wrapper"
            })
    void leavesProxiesOtherAgentsAndOurselvesAlone(String name) {
        assertThat(Ignored.is(APPLICATION, name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.langchain4j.model.openai.OpenAiChatModel",
                "com.acme.Factory$1",
                "com.acme.Factory$$anon$1",
                "io.tokenbudget.examples.Model"
            })
    void looksAtEverythingElse(String name) {
        assertThat(Ignored.is(APPLICATION, name)).isFalse();
    }

    @Test
    void leavesItsOwnLoaderAndThePlatformsAlone() {
        assertThat(Ignored.is(Ignored.class.getClassLoader(), "com.acme.Model")).isTrue();
        assertThat(Ignored.is(ClassLoader.getPlatformClassLoader(), "com.acme.Model"))
                .isTrue();
    }
}
