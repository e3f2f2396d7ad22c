package io.tokenbudget.core.http;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.core.config.LimitParser;
import io.tokenbudget.core.metering.Causes;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.RefusalText;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that a budget refused: 429 with {@code Retry-After}, {@code RateLimit} and {@code RateLimit-Policy}
 * (draft-ietf-httpapi-ratelimit-headers-11) and a problem document (RFC 9457). Immutable.
 *
 * <p><b>What the caller is told</b> Of a budget that is {@linkplain Asker#owns its own} the caller learns scope, limit and
 * what is left. Every other budget ({@code global}, {@code model:gpt-4o}, another tenant's) is shared with other callers, or theirs:
 * of it the answer says neither name nor number, only the code and how long to wait.
 *
 * <p><b>A request that never fits</b> ({@link RefusalReason#NEVER_FITS}) is answered 429 too, so that clients find every refusal
 * by one status, but without {@code Retry-After}: its code is {@code never-fits}, and to repeat it unchanged is of no use.
 *
 * @param status always 429
 * @param headers by name; each has one value
 * @param contentType of {@code body}
 * @param body JSON on one line, to be encoded as UTF-8
 */
public record RefusalAnswer(int status, Map<String, String> headers, String contentType, String body) {
    /** Of the body. */
    public static final String PROBLEM_JSON = "application/problem+json";

    private static final int TOO_MANY_REQUESTS = 429;

    /** The draft's own type for this, section "Quota Exceeded". */
    private static final String TYPE = "https://iana.org/assignments/http-problem-types#quota-exceeded";

    private static final String TITLE = "Request cannot be satisfied as assigned quota has been exceeded";

    /** Copies {@code headers}. */
    public RefusalAnswer {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** The answer, for {@code asker}, to the refusal that {@code thrown} is or has among its causes; null if there is none. */
    public static @Nullable RefusalAnswer among(@Nullable Throwable thrown, Asker asker) {
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof LimitExceededException refusal) {
                return of(refusal, asker);
            }
        }
        return null;
    }

    /** The answer to {@code refusal}, for {@code asker}. */
    public static RefusalAnswer of(LimitExceededException refusal, Asker asker) {
        boolean own = asker.owns(refusal.scope());
        Policy policy = own ? policy(refusal) : null;
        Map<String, String> headers = new LinkedHashMap<>();
        Duration wait = refusal.retryAfter();
        if (wait != null) {
            headers.put("Retry-After", Long.toString(Policy.seconds(wait)));
        }
        if (policy != null) {
            headers.put("RateLimit", policy.limitItem(refusal.remaining(), wait));
            headers.put("RateLimit-Policy", policy.policyItem());
        }
        return new RefusalAnswer(TOO_MANY_REQUESTS, headers, PROBLEM_JSON, JsonText.of(problem(refusal, own, policy)));
    }

    private static Map<String, Object> problem(LimitExceededException refusal, boolean own, @Nullable Policy policy) {
        Duration wait = refusal.retryAfter();
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("type", TYPE);
        problem.put("title", TITLE);
        problem.put("status", TOO_MANY_REQUESTS);
        problem.put("detail", own ? detail(refusal) : shared(refusal));
        problem.put("code", code(refusal.reason()));
        if (own) {
            problem.put("scope", refusal.scope());
            problem.put("limit", refusal.limit());
        }
        if (wait != null) {
            problem.put("retryAfter", Policy.seconds(wait));
        }
        if (policy != null) {
            problem.put("violated-policies", List.of(policy.name()));
        }
        return problem;
    }

    /** What to do about a missing price is for who runs the service. */
    private static String detail(LimitExceededException refusal) {
        String message = String.valueOf(refusal.getMessage());
        int advice = refusal.reason() == RefusalReason.UNKNOWN_PRICE ? message.lastIndexOf(';') : -1;
        return advice < 0 ? message : message.substring(0, advice);
    }

    /** Stable: clients compare it. */
    private static String code(RefusalReason reason) {
        return switch (reason) {
            case LIMIT_REACHED -> "limit-reached";
            case NEVER_FITS -> "never-fits";
            case UNKNOWN_PRICE -> "unknown-price";
        };
    }

    private static String shared(LimitExceededException refusal) {
        Duration wait = refusal.retryAfter();
        return "A budget that is not this caller's own has no room for the request; "
                + (wait == null ? "waiting will not help" : "try again in " + RefusalText.wait(wait));
    }

    /** Null if the limit is of a form that the fields cannot say. */
    private static @Nullable Policy policy(LimitExceededException refusal) {
        try {
            // The zone plays no part in how long a window is.
            Limit limit = LimitParser.parse(refusal.limit(), ZoneOffset.UTC);
            Duration length = Policy.length(limit.window());
            String window = limit.window() instanceof Window.Lifetime
                    ? null
                    : limit.window().toString();
            return Policy.of(refusal.scope(), limit.amount(), limit.unit().toString(), window, length);
        } catch (IllegalArgumentException notALimitOfOurs) {
            return null;
        }
    }
}
