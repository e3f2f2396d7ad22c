package io.tokenbudget.examples.providerstub;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the stub does with a request, read from the model's name. The README has the table.
 *
 * @param name what was recognised, {@code ok} for any other name
 * @param failure an HTTP error to answer with
 * @param hang whether, and at what cost, the request is never answered
 * @param content what a successful answer holds
 * @param usage what is said about its cost
 * @param toolRounds how many rounds of tool calls come before the answer
 * @param callsInRound how many tools one round asks for
 * @param delay before the answer begins
 * @param pause between the events of a stream
 * @param streamEnd how a stream ends
 */
record Scenario(
        String name,
        HttpFailure failure,
        Hang hang,
        Content content,
        UsageReport usage,
        int toolRounds,
        int callsInRound,
        Duration delay,
        Duration pause,
        StreamEnd streamEnd) {

    /** The first {@code times} attempts of the same conversation fail with {@code status}. */
    record HttpFailure(int status, int times) {
        static final HttpFailure NONE = new HttpFailure(200, 0);
    }

    enum Hang {
        NO,
        BILLED_IN_FULL,
        BILLED_INPUT,
        NOT_BILLED
    }

    enum Content {
        ANSWER,
        LONG_ANSWER,
        ENDLESS_ANSWER,
        NO_CHOICES,
        REFUSAL,
        CONTENT_FILTER,
        BROKEN_JSON
    }

    enum UsageReport {
        TRUE,
        WITH_CACHED,
        WITH_CACHE_WRITE,
        WITH_REASONING,
        ZERO,
        NONE
    }

    /** After {@code afterEvents} events with content, unless {@code kind} is COMPLETE. */
    record StreamEnd(Kind kind, int afterEvents) {
        enum Kind {
            COMPLETE,
            /** The connection breaks. */
            CUT,
            /** The answer ends as if that were all, without what tells of its end. */
            ENDS_EARLY,
            ERROR_EVENT,
            /** Nothing comes any more, until the client leaves or the stub is told to go on. */
            STALLS
        }

        private static final Pattern NAME = Pattern.compile("(cut|ends|error-event|stalls)-after-(\\d+)");

        static @Nullable StreamEnd named(String name) {
            Matcher matcher = NAME.matcher(name);
            if (!matcher.matches()) {
                return null;
            }
            Kind kind = switch (matcher.group(1)) {
                case "cut" -> Kind.CUT;
                case "ends" -> Kind.ENDS_EARLY;
                case "stalls" -> Kind.STALLS;
                default -> Kind.ERROR_EVENT;
            };
            return new StreamEnd(kind, Integer.parseInt(matcher.group(2)));
        }
    }

    private static final Pattern ERROR = Pattern.compile("error-(\\d{3})(-once|-twice)?");
    private static final Pattern TOOLS = Pattern.compile("tools-(\\d+)");
    private static final Pattern PARALLEL = Pattern.compile("tools-parallel-(\\d+)");
    private static final Pattern THEN = Pattern.compile("tools-(\\d+)-then-(.+)");
    private static final Pattern SLOW = Pattern.compile("slow-(\\d+)ms");
    private static final Duration DEFAULT_DELAY = Duration.ofMillis(300);
    private static final Duration DEFAULT_PAUSE = Duration.ofMillis(50);
    private static final Duration SHORT_PAUSE = Duration.ofMillis(2);
    private static final int EVENTS_BEFORE_ERROR = 3;

    /** What comes next in the conversation that {@code request} continues. */
    static Scenario of(ModelRequest request) {
        String name = request.model().substring(request.model().lastIndexOf('/') + 1);
        Matcher then = THEN.matcher(name);
        if (!then.matches()) {
            return of(name);
        }
        int rounds = Integer.parseInt(then.group(1));
        return request.toolRoundsDone() < rounds ? plain(name).tools(rounds, 1) : of(then.group(2));
    }

    /** The scenario of a model's name; of {@code gpt-4o@error-500} what follows the last sign counts. */
    static Scenario of(String model) {
        String name = model.substring(Math.max(model.lastIndexOf('@'), model.lastIndexOf('/')) + 1);
        Scenario plain = plain(name);
        return switch (name) {
            case "ok-cached" -> plain.usage(UsageReport.WITH_CACHED);
            case "ok-cache-write" -> plain.usage(UsageReport.WITH_CACHE_WRITE);
            case "ok-reasoning" -> plain.usage(UsageReport.WITH_REASONING);
            case "no-usage" -> plain.usage(UsageReport.NONE);
            case "zero-usage" -> plain.usage(UsageReport.ZERO);
            case "zero-choices" -> plain.content(Content.NO_CHOICES);
            case "refusal" -> plain.content(Content.REFUSAL);
            case "content-filter" -> plain.content(Content.CONTENT_FILTER);
            case "garbage" -> plain.content(Content.BROKEN_JSON);
            case "long" -> plain.content(Content.LONG_ANSWER);
            case "endless" -> plain.content(Content.ENDLESS_ANSWER).times(Duration.ZERO, SHORT_PAUSE);
            case "timeout" -> plain.hang(Hang.BILLED_IN_FULL);
            case "timeout-input" -> plain.hang(Hang.BILLED_INPUT);
            case "timeout-unbilled" -> plain.hang(Hang.NOT_BILLED);
            case "tools-forever" -> plain.tools(Integer.MAX_VALUE, 1);
            case "tools-parallel" -> plain.tools(1, 2);
            case "slow" -> plain.times(DEFAULT_DELAY, Duration.ZERO);
            case "slow-stream" -> plain.times(Duration.ZERO, DEFAULT_PAUSE);
            case "error-event" -> plain.end(new StreamEnd(StreamEnd.Kind.ERROR_EVENT, EVENTS_BEFORE_ERROR));
            default -> withNumber(name, plain);
        };
    }

    private static Scenario withNumber(String name, Scenario plain) {
        Matcher error = ERROR.matcher(name);
        if (error.matches()) {
            String times = error.group(2);
            int failures = times == null ? Integer.MAX_VALUE : times.equals("-once") ? 1 : 2;
            return plain.failure(new HttpFailure(Integer.parseInt(error.group(1)), failures));
        }
        Matcher tools = TOOLS.matcher(name);
        if (tools.matches()) {
            return plain.tools(Integer.parseInt(tools.group(1)), 1);
        }
        Matcher parallel = PARALLEL.matcher(name);
        if (parallel.matches()) {
            return plain.tools(1, Integer.parseInt(parallel.group(1)));
        }
        Matcher slow = SLOW.matcher(name);
        if (slow.matches()) {
            return plain.times(Duration.ofMillis(Long.parseLong(slow.group(1))), Duration.ZERO);
        }
        StreamEnd end = StreamEnd.named(name);
        return end == null ? plain("ok") : plain.end(end);
    }

    private static Scenario plain(String name) {
        return new Scenario(
                name,
                HttpFailure.NONE,
                Hang.NO,
                Content.ANSWER,
                UsageReport.TRUE,
                0,
                1,
                Duration.ZERO,
                Duration.ZERO,
                new StreamEnd(StreamEnd.Kind.COMPLETE, 0));
    }

    private Scenario failure(HttpFailure other) {
        return new Scenario(name, other, hang, content, usage, toolRounds, callsInRound, delay, pause, streamEnd);
    }

    private Scenario hang(Hang other) {
        return new Scenario(name, failure, other, content, usage, toolRounds, callsInRound, delay, pause, streamEnd);
    }

    private Scenario content(Content other) {
        return new Scenario(name, failure, hang, other, usage, toolRounds, callsInRound, delay, pause, streamEnd);
    }

    private Scenario usage(UsageReport other) {
        return new Scenario(name, failure, hang, content, other, toolRounds, callsInRound, delay, pause, streamEnd);
    }

    private Scenario tools(int rounds, int calls) {
        return new Scenario(name, failure, hang, content, usage, rounds, calls, delay, pause, streamEnd);
    }

    private Scenario times(Duration before, Duration between) {
        return new Scenario(name, failure, hang, content, usage, toolRounds, callsInRound, before, between, streamEnd);
    }

    private Scenario end(StreamEnd other) {
        return new Scenario(name, failure, hang, content, usage, toolRounds, callsInRound, delay, pause, other);
    }
}
