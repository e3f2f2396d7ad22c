package io.tokenbudget.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import io.tokenbudget.testkit.FakeClock;
import io.tokenbudget.testkit.ledger.ReferenceLedger.Hold;
import io.tokenbudget.testkit.ledger.ReferenceLedger.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A ledger and the reference beside it: every step is done on both, and all that can be seen is compared. */
final class Twin {
    final Ledger real;
    final ReferenceLedger reference;
    final FakeClock clock;
    final Map<Scope, List<Limit>> limits = new LinkedHashMap<>();
    final List<String> ids = new ArrayList<>();

    /** Kept as a limiter keeps them: a ledger may note things in them, which must not mislead it later. */
    private final Map<Scope, Variants> budgets = new LinkedHashMap<>();

    Twin(Ledger real, ReferenceLedger reference, FakeClock clock) {
        this.real = real;
        this.reference = reference;
        this.clock = clock;
    }

    /** @param other whether the call is of somebody with other limits than most */
    BudgetRef budget(Scope scope, boolean other) {
        List<Limit> configured = limits.getOrDefault(scope, List.of());
        Variants variants = budgets.compute(
                scope,
                (key, known) ->
                        known != null && known.configured() == configured ? known : Variants.of(scope, configured));
        return other ? variants.others() : variants.most();
    }

    /** The budgets of one scope: what most callers are bound by, and others, who have twice as much, or something else. */
    private record Variants(List<Limit> configured, BudgetRef most, BudgetRef others) {

        static Variants of(Scope scope, List<Limit> configured) {
            List<Limit> others = new ArrayList<>();
            configured.stream().skip(1).map(Variants::twice).forEach(others::add);
            Limit own =
                    new Limit(2, LimitUnit.REQUESTS, new Window.Rolling(Duration.ofMinutes(7)), "2 requests per 7m");
            others.add(own);
            List<Limit> kept = new ArrayList<>(configured);
            kept.add(own);
            return new Variants(
                    configured,
                    new BudgetRef(scope, configured, kept),
                    new BudgetRef(scope, List.copyOf(others), kept));
        }

        private static Limit twice(Limit limit) {
            return limit.unlimited()
                    ? limit
                    : new Limit(2 * limit.amount(), limit.unit(), limit.window(), "twice " + limit.text());
        }
    }

    /**
     * Whether a settle now would be late and the limits have changed since the reserve. An account that has left memory
     * comes back with the limits of the reserve then, one that has not keeps the new ones: both are right.
     */
    boolean isLateAfterReconfiguration(String id) {
        reference.advanceTo(clock.millis());
        Hold hold = reference.find(id);
        return hold != null
                && hold.status == ReservationStatus.EXPIRED
                && hold.request.budgets().stream()
                        .anyMatch(budget -> !budget.limits().equals(reference.limits(budget.scope())));
    }

    /** One of the holds up front seen so far, now and then of another kind; null for none. */
    @Nullable
    String within(int index) {
        return index % 7 == 0
                ? pick(ids, index)
                : pick(ids.stream().filter(id -> isUpFront(reference.find(id))).toList(), index);
    }

    /** One that is held, and within no other: what is forgotten in between changes how much can be drawn. */
    @Nullable
    String heldUpFrontAlone(int index) {
        return pick(
                ids.stream()
                        .filter(id -> {
                            Hold hold = reference.find(id);
                            return hold != null
                                    && hold.isUpFront()
                                    && hold.status == ReservationStatus.HELD
                                    && hold.outer == null;
                        })
                        .toList(),
                index);
    }

    private static boolean isUpFront(@Nullable Hold hold) {
        return hold != null && hold.isUpFront();
    }

    private static @Nullable String pick(List<String> ids, int index) {
        return index == Steps.Reserve.NOTHING || ids.isEmpty() ? null : ids.get(index % ids.size());
    }

    /** Reserves on both; the refusal, or null if it was granted or answered otherwise. */
    @Nullable
    LimitExceededException reserve(HoldRequest request) {
        String[] id = new String[1];
        return both(
                ledger -> {
                    Reservation reservation = ledger.reserve(request);
                    id[0] = reservation.id();
                    return reservation;
                },
                model -> model.reserve(request, () -> id[0]));
    }

    /** Does the same on both; a reservation, nothing, or the same failure must come out. */
    @Nullable
    LimitExceededException both(
            Function<Ledger, @Nullable Reservation> onReal, Function<ReferenceLedger, @Nullable Hold> onReference) {
        Reservation got = null;
        RuntimeException gotFailure = null;
        try {
            got = onReal.apply(real);
            if (got != null && !ids.contains(got.id())) {
                ids.add(got.id());
            }
        } catch (LimitExceededException | IllegalArgumentException | IllegalStateException failure) {
            gotFailure = failure;
        }
        Hold expected = null;
        RuntimeException expectedFailure = null;
        reference.advanceTo(clock.millis());
        try {
            expected = onReference.apply(reference);
        } catch (ReferenceLedger.Refused | IllegalArgumentException | IllegalStateException failure) {
            expectedFailure = failure;
        }
        compareFailures(gotFailure, expectedFailure);
        if (got != null && expected != null) {
            compare(got, expected);
        }
        compareBudgets();
        return gotFailure instanceof LimitExceededException refusal ? refusal : null;
    }

    private static void compareFailures(@Nullable RuntimeException got, @Nullable RuntimeException expected) {
        if (expected instanceof ReferenceLedger.Refused refused) {
            if (!(got instanceof LimitExceededException exception)) {
                throw new AssertionError("expected a refusal, R2: " + refused.getMessage() + ", got " + got, got);
            }
            assertThat(refused.longest)
                    .as("R1 names the limit with the longest wait, R10, R11: %s", exception)
                    .anySatisfy(refusal -> compare(exception, refusal));
        } else if (expected != null) {
            assertThat(got).isNotNull().isExactlyInstanceOf(expected.getClass());
        } else {
            assertThat(got).isNull();
        }
    }

    private static void compare(LimitExceededException got, Refusal expected) {
        assertThat(got.scope()).isEqualTo(expected.scope().toString());
        assertThat(got.limit()).isEqualTo(expected.limit().text());
        assertThat(got.reason()).isEqualTo(expected.reason());
        assertThat(got.requested()).isEqualTo(expected.requested());
        assertThat(got.remaining()).isEqualTo(expected.remaining());
        assertThat(got.retryAfter()).isEqualTo(expected.retryAfter());
    }

    private static void compare(Reservation got, Hold expected) {
        assertThat(got.id()).isEqualTo(expected.id);
        assertThat(got.status()).isEqualTo(expected.status);
        assertThat(got.inputTokens()).isEqualTo(expected.request.inputTokens());
        assertThat(got.outputTokens()).isEqualTo(expected.output);
        assertThat(got.expiresAt()).isEqualTo(Instant.ofEpochMilli(expected.expiresAt));
        assertThat(got.scopes())
                .isEqualTo(expected.request.budgets().stream()
                        .map(budget -> budget.scope().toString())
                        .toList());
    }

    private void compareBudgets() {
        assertThat(real.counts()).isEqualTo(reference.counts());
        long now = reference.now();
        List<String> expected = new ArrayList<>();
        for (Scope scope : limits.keySet()) {
            boolean live = reference.kept(scope).stream().anyMatch(limit -> reference.used(scope, limit, now) > 0)
                    || reference.isHeldOn(scope);
            for (Limit limit : live ? reference.limits(scope) : List.<Limit>of()) {
                expected.add(scope + " " + limit.unit() + " " + limit.window() + " used "
                        + reference.used(scope, limit, now) + " held " + reference.held(scope, limit.unit(), now));
            }
        }
        assertThat(real.status().stream().map(Twin::describe).toList())
                .as("R3, R13: every live budget's used and held")
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String describe(BudgetStatus status) {
        String window = status.window() == null ? "Lifetime[]" : status.window();
        return status.scope() + " " + status.unit() + " " + window + " used " + status.used() + " held "
                + status.held();
    }
}
