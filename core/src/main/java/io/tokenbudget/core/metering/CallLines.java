package io.tokenbudget.core.metering;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.Usage;
import io.tokenbudget.core.config.LimitParser;
import io.tokenbudget.core.spi.LimitUnit;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call log of single lines for people: who called which model, what was estimated and what was booked, in tokens.
 * Stateless; as thread-safe as what takes the lines.
 */
public final class CallLines implements CallLog {
    private final Consumer<String> out;

    /** @param out takes one line without its end at a time */
    public CallLines(Consumer<String> out) {
        this.out = out;
    }

    @Override
    public void answered(ReservationRequest estimate, Usage actual) {
        line("admitted", estimate, estimated(estimate) + "actual " + tokens(actual.total()));
    }

    @Override
    public void kept(ReservationRequest estimate, Usage booked, @Nullable Failure failure) {
        String why = failure == null ? "no usage reported" : words(failure);
        line("admitted", estimate, estimated(estimate) + "booked " + tokens(booked.total()) + ", " + why);
    }

    @Override
    public void cut(ReservationRequest estimate, Usage booked, RuntimeException refusal) {
        line("cut", estimate, estimated(estimate) + "booked " + tokens(booked.total()) + ", " + refusal.getMessage());
    }

    @Override
    public void left(ReservationRequest estimate, Usage booked) {
        line("admitted", estimate, estimated(estimate) + "booked " + tokens(booked.total()) + ", the application left");
    }

    @Override
    public void refunded(ReservationRequest estimate, Failure failure) {
        line("refunded", estimate, estimated(estimate) + words(failure));
    }

    @Override
    public void refused(ReservationRequest estimate, long outputByDefault, LimitExceededException refusal) {
        String why = outputByDefault == 0 || !countsOutput(refusal.limit())
                ? ""
                : "; " + tokens(outputByDefault)
                        + " of the estimated tokens are output by default: the request sets no maximum";
        line("refused", estimate, refusal.getMessage() + why);
    }

    private static boolean countsOutput(String limit) {
        LimitUnit unit = LimitParser.parse(limit, ZoneOffset.UTC).unit();
        return unit == LimitUnit.TOKENS || unit == LimitUnit.OUTPUT_TOKENS;
    }

    private void line(String what, ReservationRequest estimate, String outcome) {
        String model = estimate.model() == null ? "unknown model" : estimate.model();
        Map<String, String> callers = new TreeMap<>(estimate.context().dimensions());
        String caller = callers.entrySet().stream()
                .map(dimension -> dimension.getKey() + ":" + dimension.getValue())
                .collect(Collectors.joining(" "));
        String id = estimate.id();
        if (id != null) {
            caller += " " + id;
        }
        out.accept(String.format(Locale.ROOT, "%-8s %s (%s) %s", what, model, caller, outcome));
    }

    private static String estimated(ReservationRequest estimate) {
        return "estimate " + tokens(estimate.totalTokens()) + ", ";
    }

    private static String tokens(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static String words(Failure failure) {
        return switch (failure) {
            case REJECTED -> "the provider failed or was not reached";
            case TIMEOUT -> "no answer in time";
            case CUT_STREAM -> "the answer broke off";
            case UNUSABLE_ANSWER -> "the answer could not be used";
        };
    }
}
