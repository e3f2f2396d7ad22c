package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("C9 never in the way: a version whose choke points are elsewhere")
class ChokePointTest {
    private final Fixture fixture = new Fixture("1000 tokens per 1h");

    static List<ChokePoint> points() {
        return Hooks.CHOKE_POINTS;
    }

    @ParameterizedTest
    @MethodSource("points")
    void theLowestSupportedVersionsHaveIt(ChokePoint point) {
        TypePool pool = TypePool.Default.of(ClassFileLocator.ForClassLoader.of(ChokePointTest.class.getClassLoader()));
        TypeDescription type = pool.describe(point.type()).resolve();

        assertThat(point.isIn(type)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("points")
    void itsTypeIsLookedAtWhateverIsInIt(ChokePoint point) {
        Prefilter prefilter = new Prefilter(List.of(), Hooks.CHOKE_POINTS);

        assertThat(prefilter.accepts(point.type().replace('.', '/'), new byte[0]))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("points")
    void whatIsMissingIsSaidOnceWithTheVersion(ChokePoint point) {
        BridgeLoader bridge = fixture.bridgeTo(new FrameworkLoader());
        bridge.lacks(point);
        bridge.lacks(point);

        assertThat(fixture.lines).hasSize(1);
        assertThat(fixture.lines.get(0))
                .matches(
                        "\\w+ calls of (LangChain4j 1.0.1|Spring AI 1.0.3) are not metered, they pass and are counted: "
                                + ".*")
                .contains("it has no " + point.type() + "." + point.method() + "(");
    }

    @Test
    void eachIsAKindOfCallsThatIsMetered() {
        assertThat(Hooks.ALL.stream().filter(Hook::isMetered).map(Hook::kind))
                .containsAll(points().stream().map(ChokePoint::kind).toList());
    }
}
