package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.agent.References.Reference;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("C9 never in the way: a version without any one of the members that an integration needs")
class DriftTest {
    private static final MethodType ENTER = MethodType.methodType(Object.class, Object.class, Object.class);

    private final Fixture fixture = new Fixture("1000 tokens per 1h");

    /** Each class and member that some metered kind of call needs, once for each kind. */
    static Stream<Arguments> needs() throws IOException, ClassNotFoundException {
        Set<Hook> hooks = new LinkedHashSet<>();
        Set<String> kinds = new LinkedHashSet<>();
        for (Hook hook : Hooks.ALL) {
            if (hook.isMetered() && kinds.add(hook.kind())) {
                hooks.add(hook);
            }
        }
        Stream.Builder<Arguments> needs = Stream.builder();
        for (Hook hook : hooks) {
            for (Reference reference : References.of(hook.advice())) {
                if (!isInherited(reference)) {
                    needs.add(Arguments.of(hook.kind(), reference, hook.advice()));
                }
            }
        }
        return needs.build();
    }

    /** What a framework's type inherits from others, the framework cannot lose. */
    private static boolean isInherited(Reference reference) throws ClassNotFoundException {
        Class<?> owner = Class.forName(reference.owner(), false, DriftTest.class.getClassLoader());
        return withSuperTypes(owner)
                .filter(type -> !Framework.owns(type.getName()))
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .anyMatch(method -> method.getName().equals(reference.name())
                        && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .toMethodDescriptorString()
                                .equals(reference.descriptor()));
    }

    private static Stream<Class<?>> withSuperTypes(Class<?> type) {
        Class<?> superClass = type.getSuperclass() == null ? Object.class : type.getSuperclass();
        Stream<Class<?>> above = type == Object.class ? Stream.empty() : withSuperTypes(superClass);
        return Stream.of(
                        Stream.<Class<?>>of(type),
                        above,
                        Stream.of(type.getInterfaces()).flatMap(DriftTest::withSuperTypes))
                .flatMap(types -> types);
    }

    @ParameterizedTest(name = "{0} without {1}")
    @MethodSource("needs")
    void switchesItsCallsOffAndSaysSoInOneLineWithTheVersion(String kind, Reference lost, String advice)
            throws Throwable {
        BridgeLoader bridge = fixture.bridgeTo(FrameworkLoader.without(lost));

        Object entered = bridge.advice(advice, kind).enter(ENTER).invoke(new Object(), new Object());
        Throwable thrown = (Throwable) bridge.advice(advice, kind).exit().invoke(entered);

        assertThat(thrown).isNull();
        assertThat(fixture.calls().unmetered()).isEqualTo(1);
        assertThat(fixture.calls().metered()).isZero();
        assertThat(fixture.lines).hasSize(1);
        assertThat(fixture.lines.get(0))
                .contains(kind.contains("Spring") ? "Spring AI 1.0.3 " : "LangChain4j 1.0.1 ")
                .contains("and are counted: it has no ")
                .contains(lost.isClass() ? lost.owner() : "." + lost.name());
    }
}
