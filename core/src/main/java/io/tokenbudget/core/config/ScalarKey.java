package io.tokenbudget.core.config;

import io.tokenbudget.core.config.OnFailure.Booking;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The keys with one plain value, or several with commas between: how each is read, and how its present value is written. */
enum ScalarKey {
    MODE("mode"),
    HOLD("hold"),
    REMEMBER("remember"),
    REMEMBER_AT_MOST("remember-at-most"),
    ZONE("zone"),
    OVERRUN("overrun"),
    EXACT("estimates.exact"),
    DEFAULT_MAX_OUTPUT("estimates.default-max-output"),
    DEFAULT_PLAN("default-plan"),
    UNKNOWN_PRICE("unknown-price"),
    RESERVE("streaming.reserve"),
    CHUNK("streaming.chunk"),
    REJECTED("on-failure.rejected"),
    TIMEOUT("on-failure.timeout"),
    CUT_STREAM("on-failure.cut-stream"),
    UNUSABLE_ANSWER("on-failure.unusable-answer"),
    HTTP_ENABLED("http.enabled"),
    REMAINING("http.remaining"),
    SEND_CONTEXT_TO("http.send-context-to"),
    BELIEVE_CONTEXT_FROM("http.believe-context-from"),
    STATUS_PORT("status.port");

    /** {@code status.port}. */
    final String path;

    ScalarKey(String path) {
        this.path = path;
    }

    /**
     * @throws InvalidValueException if {@code text} is no value of this key; the draft is as before
     */
    // Switches rather than a lambda for each key: they are read at the start of every JVM with the agent.
    void read(Draft draft, String text) {
        switch (this) {
            case MODE -> draft.mode = Choice.parse(Admission.class, text);
            case HOLD -> draft.hold = DurationText.parse(text);
            case REMEMBER -> draft.remember = DurationText.parse(text);
            case REMEMBER_AT_MOST -> draft.rememberAtMost = (int) Numbers.parse(text, 1, Integer.MAX_VALUE);
            case ZONE -> draft.zone = ZoneText.parse(text);
            case OVERRUN -> draft.overrun = OverrunText.parse(text);
            case EXACT -> draft.exact = Choice.parseBoolean(text);
            case DEFAULT_MAX_OUTPUT -> draft.defaultMaxOutput = Numbers.parseMaxOutput(text);
            case DEFAULT_PLAN -> draft.defaultPlan = text.isEmpty() ? null : text;
            case UNKNOWN_PRICE -> draft.unknownPrice = Choice.parse(Prices.Unknown.class, text);
            case RESERVE -> draft.reserve = Choice.parse(Streaming.Reserve.class, text);
            case CHUNK -> draft.chunk = (int) Numbers.parse(text, 1, 1_000_000);
            case REJECTED -> draft.rejected = Choice.parse(Booking.class, text);
            case TIMEOUT -> draft.timeout = Choice.parse(Booking.class, text);
            case CUT_STREAM -> draft.cutStream = Choice.parse(Booking.class, text);
            case UNUSABLE_ANSWER -> draft.unusableAnswer = Choice.parse(Booking.class, text);
            case HTTP_ENABLED -> draft.httpEnabled = Choice.parseBoolean(text);
            case REMAINING -> draft.remaining = Choice.parseBoolean(text);
            case SEND_CONTEXT_TO -> draft.sendContextTo = HttpText.parseHosts(text);
            case BELIEVE_CONTEXT_FROM -> draft.believeContextFrom = HttpText.parseNetworks(text);
            case STATUS_PORT -> draft.statusPort = (int) Numbers.parse(text, 0, 65_535);
        }
    }

    /** The value in {@code settings}, as a user would write it. */
    String write(Settings settings) {
        return switch (this) {
            case MODE -> Choice.format(settings.mode());
            case HOLD -> DurationText.format(settings.hold());
            case REMEMBER -> DurationText.format(settings.remember());
            case REMEMBER_AT_MOST -> Integer.toString(settings.rememberAtMost());
            case ZONE -> ZoneText.format(settings.zone());
            case OVERRUN -> OverrunText.format(settings.overrun());
            case EXACT -> Boolean.toString(settings.estimates().exact());
            case DEFAULT_MAX_OUTPUT -> Long.toString(settings.estimates().defaultMaxOutput());
            case DEFAULT_PLAN ->
                String.valueOf(Objects.requireNonNullElse(settings.plans().byDefault(), ""));
            case UNKNOWN_PRICE -> Choice.format(settings.prices().unknown());
            case RESERVE -> Choice.format(settings.streaming().reserve());
            case CHUNK -> Integer.toString(settings.streaming().chunk());
            case REJECTED -> Choice.format(settings.onFailure().rejected());
            case TIMEOUT -> Choice.format(settings.onFailure().timeout());
            case CUT_STREAM -> Choice.format(settings.onFailure().cutStream());
            case UNUSABLE_ANSWER -> Choice.format(settings.onFailure().unusableAnswer());
            case HTTP_ENABLED -> Boolean.toString(settings.http().enabled());
            case REMAINING -> Boolean.toString(settings.http().remaining());
            case SEND_CONTEXT_TO -> HttpText.format(settings.http().sendContextTo());
            case BELIEVE_CONTEXT_FROM -> HttpText.format(settings.http().believeContextFrom());
            case STATUS_PORT -> Integer.toString(settings.statusPort());
        };
    }

    /** Whether it may be written as a list. */
    boolean isList() {
        return this == SEND_CONTEXT_TO || this == BELIEVE_CONTEXT_FROM;
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
