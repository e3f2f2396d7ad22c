package io.tokenbudget.core.http;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.config.LimitParser;
import io.tokenbudget.core.metering.CallMeter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an answer says of the caller's own budgets as they stand now: {@code RateLimit} and {@code RateLimit-Policy}
 * (draft-ietf-httpapi-ratelimit-headers-11). Stateless.
 *
 * <p>They are the budgets whose scopes {@link Asker#TELLING} alone make up: {@code tenant:acme}, {@code tenant:acme/user:ann}.
 * Which agent or model a request comes to, and so which of {@code tenant/agent}, is not known.
 */
public final class RemainingBudget {
    private RemainingBudget() {}

    /** The header fields by name; empty if nothing is known of {@code asker}, or nothing limits it. */
    public static Map<String, String> fields(CallMeter meter, Asker asker) {
        return fields(
                meter.budgetsOf(asker.sender(), Asker.TELLING), meter.clock().instant());
    }

    private static Map<String, String> fields(List<BudgetStatus> budgets, Instant now) {
        List<String> limits = new ArrayList<>();
        List<String> policies = new ArrayList<>();
        for (BudgetStatus budget : budgets) {
            if (!budget.unlimited()) {
                Policy policy = Policy.of(
                        budget.scope(), budget.limit(), budget.unit(), budget.window(), length(budget.window()));
                Instant reset = budget.resetsAt();
                limits.add(policy.limitItem(budget.remaining(), reset == null ? null : Duration.between(now, reset)));
                policies.add(policy.policyItem());
            }
        }
        Map<String, String> fields = new LinkedHashMap<>();
        if (!limits.isEmpty()) {
            fields.put("RateLimit", String.join(", ", limits));
            fields.put("RateLimit-Policy", String.join(", ", policies));
        }
        return fields;
    }

    private static @Nullable Duration length(@Nullable String window) {
        // The zone plays no part in how long a window is.
        return window == null
                ? null
                : Policy.length(LimitParser.parse("1 token per " + window, ZoneOffset.UTC)
                        .window());
    }
}
