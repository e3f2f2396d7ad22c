package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.OverrunPolicy;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/**
 * A whole configuration. Immutable.
 *
 * @param mode {@code enforce} or {@code observe}
 * @param hold how long a hold lasts that nobody ends
 * @param remember how long an ended reservation answers repeats
 * @param rememberAtMost how many ended reservations are remembered at most
 * @param zone of calendar windows
 * @param overrun what to book beyond the estimate
 * @param identity for each dimension where its value comes from, first match counts
 * @param budgets rows in the order of the file
 * @param estimates how much output to reserve where the request does not say
 * @param plans how much more some callers may use
 * @param prices what models cost, for limits in money
 * @param streaming how output of streamed answers is held
 * @param onFailure what to book for a failed call
 * @param http what the starters say over HTTP
 * @param statusPort loopback port of the status page, 0 for none
 */
public record Settings(
        Admission mode,
        Duration hold,
        Duration remember,
        int rememberAtMost,
        ZoneId zone,
        OverrunPolicy overrun,
        Map<String, List<IdentitySource>> identity,
        List<BudgetRow> budgets,
        Estimates estimates,
        Plans plans,
        Prices prices,
        Streaming streaming,
        OnFailure onFailure,
        HttpSettings http,
        int statusPort) {

    /** Where the agent's and the tenant's name come from if the configuration does not say. */
    public static final Map<String, List<IdentitySource>> DEFAULT_IDENTITY = Map.of(
            "agent", List.of(new IdentitySource(IdentitySource.Kind.LITERAL, "default")),
            "tenant",
                    List.of(
                            new IdentitySource(IdentitySource.Kind.MDC, "tenant"),
                            new IdentitySource(IdentitySource.Kind.PROPERTY, "tenant"),
                            new IdentitySource(IdentitySource.Kind.LITERAL, "default")));

    /** Every setting at its default, no budgets. */
    public static final Settings DEFAULT = new Settings(
            Admission.ENFORCE,
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            1_000_000,
            ZoneOffset.UTC,
            OverrunPolicy.CHARGE_ACTUAL,
            DEFAULT_IDENTITY,
            List.of(),
            Estimates.DEFAULT,
            Plans.NONE,
            Prices.NONE,
            Streaming.DEFAULT,
            OnFailure.DEFAULT,
            HttpSettings.DEFAULT,
            0);

    /** The same in this mode. */
    public Settings withMode(Admission mode) {
        return new Settings(
                mode,
                hold,
                remember,
                rememberAtMost,
                zone,
                overrun,
                identity,
                budgets,
                estimates,
                plans,
                prices,
                streaming,
                onFailure,
                http,
                statusPort);
    }
}
