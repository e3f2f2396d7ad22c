package io.tokenbudget.core.config;

import io.tokenbudget.core.config.OnFailure.Booking;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys with one plain value: how each is read, and how its present value is written. */
@SuppressWarnings("ImmutableEnumChecker") // the functions are lambdas that keep nothing
enum ScalarKey {
    MODE("mode", (d, text) -> d.mode = Choice.parse(Admission.class, text), s -> Choice.format(s.mode())),
    HOLD("hold", (d, text) -> d.hold = DurationText.parse(text), s -> DurationText.format(s.hold())),
    REMEMBER("remember", (d, text) -> d.remember = DurationText.parse(text), s -> DurationText.format(s.remember())),
    REMEMBER_AT_MOST(
            "remember-at-most",
            (d, text) -> d.rememberAtMost = (int) Numbers.parse(text, 1, Integer.MAX_VALUE),
            s -> Integer.toString(s.rememberAtMost())),
    ZONE("zone", (d, text) -> d.zone = ZoneText.parse(text), s -> ZoneText.format(s.zone())),
    OVERRUN("overrun", (d, text) -> d.overrun = OverrunText.parse(text), s -> OverrunText.format(s.overrun())),
    DEFAULT_MAX_OUTPUT(
            "estimates.default-max-output",
            (d, text) -> d.defaultMaxOutput = Numbers.parseMaxOutput(text),
            s -> Long.toString(s.estimates().defaultMaxOutput())),
    REJECTED(
            "on-failure.rejected",
            (d, text) -> d.rejected = Choice.parse(Booking.class, text),
            s -> Choice.format(s.onFailure().rejected())),
    TIMEOUT(
            "on-failure.timeout",
            (d, text) -> d.timeout = Choice.parse(Booking.class, text),
            s -> Choice.format(s.onFailure().timeout())),
    CUT_STREAM(
            "on-failure.cut-stream",
            (d, text) -> d.cutStream = Choice.parse(Booking.class, text),
            s -> Choice.format(s.onFailure().cutStream())),
    UNUSABLE_ANSWER(
            "on-failure.unusable-answer",
            (d, text) -> d.unusableAnswer = Choice.parse(Booking.class, text),
            s -> Choice.format(s.onFailure().unusableAnswer())),
    STATUS_PORT(
            "status.port",
            (d, text) -> d.statusPort = (int) Numbers.parse(text, 0, 65_535),
            s -> Integer.toString(s.statusPort()));

    /** {@code status.port}. */
    final String path;

    private final BiConsumer<Draft, String> reader;
    private final Function<Settings, String> writer;

    ScalarKey(String path, BiConsumer<Draft, String> reader, Function<Settings, String> writer) {
        this.path = path;
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * @throws InvalidValueException if {@code text} is no value of this key; the draft is as before
     */
    void read(Draft draft, String text) {
        reader.accept(draft, text);
    }

    /** The value in {@code settings}, as a user would write it. */
    String write(Settings settings) {
        return writer.apply(settings);
    }

    static @Nullable ScalarKey of(String path) {
        return Arrays.stream(values())
                .filter(key -> key.path.equals(path))
                .findFirst()
                .orElse(null);
    }

    static List<String> paths() {
        return Arrays.stream(values()).map(key -> key.path).toList();
    }
}
