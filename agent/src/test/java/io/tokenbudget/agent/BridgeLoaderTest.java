package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.Frame;
import java.lang.invoke.MethodHandle;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BridgeLoaderTest {
    private static final String ADVICE = "io.tokenbudget.agent.advice.LangChain4jChatAdvice";
    private static final ClassLoader HERE = BridgeLoaderTest.class.getClassLoader();

    private final Fixture fixture = new Fixture("1000 tokens per 1h");

    @Test
    void definesAdvicesAndIntegrationsItself() throws Exception {
        BridgeLoader bridge = fixture.bridgeTo(HERE);

        assertThat(bridge.loadClass(ADVICE).getClassLoader()).isSameAs(bridge);
        assertThat(bridge.loadClass("io.tokenbudget.langchain4j.LangChain4jMeter")
                        .getClassLoader())
                .isSameAs(bridge);
        assertThat(bridge.loadClass("io.tokenbudget.springai.SpringAiMeter").getClassLoader())
                .isSameAs(bridge);
    }

    @Test
    void theLedgerIsTheAgentsWhateverTheApplicationHas() throws Exception {
        ClassLoader withoutUs = ClassLoader.getPlatformClassLoader();

        assertThat(fixture.bridgeTo(withoutUs).loadClass(Frame.class.getName())).isSameAs(Frame.class);
    }

    @Test
    void asksTheApplicationForEverythingElse() throws Exception {
        FrameworkLoader application = new FrameworkLoader();

        Class<?> request = fixture.bridgeTo(application).loadClass("dev.langchain4j.model.chat.request.ChatRequest");

        assertThat(request.getClassLoader()).isSameAs(application);
    }

    @Test
    void standsDownOnceLoudlyWhereTheApplicationMetersItself() throws Throwable {
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {location(TokenLimiters.class)}, ClassLoader.getPlatformClassLoader())) {
            BridgeLoader bridge = fixture.bridgeTo(application);

            MethodHandle enter =
                    bridge.advice(ADVICE, "chat calls of LangChain4j").enter();
            bridge.advice("io.tokenbudget.agent.advice.UnmeteredAdvice", "embedding calls of LangChain4j");

            assertThat((Object) enter.invoke()).isNull();
            assertThat(fixture.lines)
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("the application brings token-budget-core");
        }
    }

    @Test
    void standsDownWithOneLineForAllLoaders() throws Exception {
        Bridges bridges = fixture.bridges();
        URL[] core = {location(TokenLimiters.class)};
        try (URLClassLoader one = new URLClassLoader(core, ClassLoader.getPlatformClassLoader());
                URLClassLoader other = new URLClassLoader(core, ClassLoader.getPlatformClassLoader())) {
            bridges.of(one).advice(ADVICE, "chat calls of LangChain4j");
            bridges.of(other).advice(ADVICE, "chat calls of LangChain4j");

            assertThat(fixture.lines).hasSize(1);
        }
    }

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    void eachApplicationLoaderHasItsOwnBridgeAndKeepsIt() {
        Bridges bridges = fixture.bridges();
        ClassLoader one = new FrameworkLoader();
        ClassLoader other = new FrameworkLoader();

        BridgeLoader bridge = bridges.of(one);

        assertThat(bridges.of(one)).isSameAs(bridge);
        assertThat(bridges.of(other)).isNotSameAs(bridge);
    }

    @Test
    void keepsNoApplicationLoaderAlive() throws Exception {
        Bridges bridges = fixture.bridges();
        List<WeakReference<ClassLoader>> redeployed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ClassLoader application = new FrameworkLoader();
            bridges.of(application).advice(ADVICE, "chat calls of LangChain4j");
            redeployed.add(new WeakReference<>(application));
        }

        for (int i = 0; i < 100 && redeployed.stream().anyMatch(loader -> loader.get() != null); i++) {
            System.gc();
            byte[] pressure = new byte[1 << 20];
            assertThat(pressure).isNotEmpty();
        }

        assertThat(fixture.lines).isEmpty();
        assertThat(redeployed).allMatch(loader -> loader.get() == null);
    }

    @Test
    void manyThreadsDefineEachClassOnce() throws Exception {
        BridgeLoader bridge = fixture.bridgeTo(HERE);
        int threads = 8;
        CyclicBarrier together = new CyclicBarrier(threads);
        Callable<Class<?>> load = () -> {
            together.await();
            return bridge.loadClass("io.tokenbudget.langchain4j.LangChain4jMeter");
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Class<?>>> loaded = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                loaded.add(pool.submit(load));
            }
            Set<Class<?>> distinct = loaded.stream().map(BridgeLoaderTest::get).collect(Collectors.toSet());
            assertThat(distinct).hasSize(1);
        } finally {
            pool.shutdownNow();
        }
    }

    private static Class<?> get(Future<Class<?>> loaded) {
        try {
            return loaded.get();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
