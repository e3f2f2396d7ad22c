package io.tokenbudget.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import org.junit.jupiter.api.Test;

class UnmeteredTest {
    private final Fixture fixture = new Fixture("1000 tokens per 1h");
    private final CallMeter meter = fixture.meter();

    @Test
    void callsOfOneKindWithinEachOtherCountOnce() {
        Object embed = Unmetered.enter(meter, "embedding calls");
        Object embedAll = Unmetered.enter(meter, "embedding calls");
        assertThat(Unmetered.exit(embedAll)).isNull();
        assertThat(Unmetered.exit(embed)).isNull();

        assertThat(fixture.calls().unmetered()).isEqualTo(1);
    }

    @Test
    void callsOfDifferentKindsWithinEachOtherCountEach() {
        Object chat = Unmetered.enter(meter, "streaming calls");
        Object embed = Unmetered.enter(meter, "embedding calls");
        assertThat(Unmetered.exit(embed)).isNull();
        assertThat(Unmetered.exit(chat)).isNull();

        assertThat(fixture.calls().unmetered()).isEqualTo(2);
    }

    @Test
    void callsAfterEachOtherCountEachAndAreSaidOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(Unmetered.exit(Unmetered.enter(meter, "embedding calls")))
                    .isNull();
        }

        assertThat(fixture.calls().unmetered()).isEqualTo(3);
        assertThat(fixture.lines).hasSize(1).first().asString().startsWith("embedding calls are not metered");
    }

    @Test
    void whatAMeteredCallMakesOfItselfIsPartOfIt() {
        Frame frame = meter.open(this, () -> ModelCall.of("m", 1, 1));
        assertThat(Unmetered.exit(Unmetered.enter(meter, "streaming calls"))).isNull();
        frame.enterTools();
        assertThat(Unmetered.exit(Unmetered.enter(meter, "streaming calls"))).isNull();
        frame.exitTools();
        frame.succeed(null, 0, null);

        assertThat(fixture.calls().metered()).isEqualTo(1);
        assertThat(fixture.calls().unmetered())
                .as("the one inside the tool is a call of its own")
                .isEqualTo(1);
    }

    @Test
    void silentlyCountedCallsAreNotSaidAgain() {
        assertThat(Unmetered.exit(Unmetered.enterSilently(meter, "chat calls"))).isNull();

        assertThat(fixture.calls().unmetered()).isEqualTo(1);
        assertThat(fixture.lines).isEmpty();
    }
}
