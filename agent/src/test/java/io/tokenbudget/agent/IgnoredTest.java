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
                "com.acme.Model$$EnhancerBySpringCGLIB$$1a2b",
                "com.acme.Model$$FastClassByGuice$$1a2b",
                "com.acme.Model$HibernateProxy$8abc",
                "com.acme.Model_$$_jvst4f2_0",
                "com.acme.Model$Proxy$_$$_WeldClientProxy",
                "com.acme.Model$$OwbNormalScopeProxy0",
                "com.acme.Model$$$view3",
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
                "com.acme.Factory$$inlined$make$1",
                "com.acme.FactoryKt$make$$inlined$model$1",
                "com.acme.Factory$sam$i$com_acme_Model$0",
                "com.acme.Odd$$Model",
                "com.acme.$$Model",
                "com.acme.Proxy",
                "io.tokenbudget.examples.Model"
            })
    void C9_looksAtEverythingElseWhateverACompilerNamesIt(String name) {
        assertThat(Ignored.is(APPLICATION, name)).isFalse();
    }

    @Test
    void leavesItsOwnLoaderAndThePlatformsAlone() {
        assertThat(Ignored.is(Ignored.class.getClassLoader(), "com.acme.Model")).isTrue();
        assertThat(Ignored.is(ClassLoader.getPlatformClassLoader(), "com.acme.Model"))
                .isTrue();
    }
}
