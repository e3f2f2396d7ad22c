package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C1 one layer charges: a model that is asked again inside its own call")
class AskedAgainTest {
    private final List<String> notices = new ArrayList<>();
    private final Metering metering = new Metering(
            TokenLimiters.builder()
                    .yaml("budgets: [{scope: global, limits: ['100k tokens per 1h']}]")
                    .build(),
            notices::add);
    private final CallMeter meter = metering.meter(CallerSource.of(null), RefusalFactory.OWN);

    private Frame open(Object model, boolean streamed) {
        return streamed
                ? meter.openStream(model, () -> ModelCall.of("gpt", 100, 100))
                : meter.open(model, () -> ModelCall.of("gpt", 100, 100));
    }

    /** {@code input+output}, of which {@code cached} and {@code reasoning} are parts. */
    private static Usage usage(String text) {
        String[] numbers = text.split("[+/]", -1);
        long cached = numbers.length > 2 ? Long.parseLong(numbers[2]) : 0;
        long reasoning = numbers.length > 3 ? Long.parseLong(numbers[3]) : 0;
        return new Usage(Long.parseLong(numbers[0]), cached, 0, Long.parseLong(numbers[1]), reasoning);
    }

    @ParameterizedTest(name = "inside {0}, outside {1}: {2} booked")
    @CsvSource({
        // What its super class answered: once, twice and summed up, the better of two, the rest of three.
        "100+50, 100+50, 150",
        "100+50 100+50, 200+100, 300",
        "100+50 150+70, 250+120, 370",
        "100+50 150+70, 100+50, 370",
        "100+50 150+70, 150+70, 370",
        "100+50 150+70 20+5, 270+125, 395",
        // Without what only the provider's own numbers tell: cached input beside the input, output by the total alone.
        "100+60, 100+50, 160",
        "100+60/40/30, 60+30, 160",
        "100+60/40/30 100+60/40/30, 200+120, 320",
        // About something else: a listener, a guardrail.
        "10+5, 80+20, 115",
        "10+5 10+5, 80+20, 130",
        "100+50, 100+90, 340",
        "100+50, 500+50, 700",
    })
    void isChargedForItsOwnAnswerOnlyIfTheInnerCallsDoNotAccountForIt(String inside, String outside, long booked) {
        for (boolean outerStreamed : new boolean[] {false, true}) {
            for (boolean innerStreamed : new boolean[] {false, true}) {
                long before = used();
                Object model = new Object();
                Frame outer = open(model, outerStreamed);
                for (String inner : inside.split(" ", -1)) {
                    Frame frame = open(model, innerStreamed);
                    frame.detach();
                    frame.succeed(usage(inner), 0, new Object());
                }
                outer.detach();
                outer.succeed(usage(outside), 0, new Object());

                assertThat(used() - before)
                        .as("outer streamed %s, inner streamed %s", outerStreamed, innerStreamed)
                        .isEqualTo(booked);
            }
        }
        assertThat(metering.report().reservations().held()).isZero();
        assertThat(notices).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void isChargedForItsSuperClassesRoundsOnceThoughItAnswersWithTheirSum(boolean copies) {
        Object model = new Object();
        Object answer = new Object();
        Frame outer = open(model, false);
        Frame inner = open(model, false);
        inner.endRound(Usage.of(100, 20), 0);
        inner.enterTools();
        inner.exitTools();
        assertThat(inner.startRound(() -> ModelCall.of("gpt", 130, 100))).isNull();
        inner.succeed(Usage.of(130, 30), 0, answer);
        outer.succeed(Usage.of(230, 50), 0, copies ? new Object() : answer);

        assertThat(used()).isEqualTo(280);
    }

    private long used() {
        return metering.report().budgets().get(0).used();
    }
}
