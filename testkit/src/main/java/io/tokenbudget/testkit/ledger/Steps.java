package io.tokenbudget.testkit.ledger;

import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Price;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Random steps on a ledger. Amounts, limits and times are small and round, so that they meet. */
final class Steps {
    private static final List<Scope> SCOPES = List.of(
            new Scope("agent", "planner"),
            new Scope("agent", "writer"),
            new Scope("tenant", "acme"),
            new Scope("tenant/agent", "acme/agent:planner"),
            Scope.GLOBAL);
    private static final List<Window> WINDOWS = List.of(
            new Window.Rolling(Duration.ofSeconds(1)),
            new Window.Rolling(Duration.ofMinutes(1)),
            new Window.Rolling(Duration.ofHours(1)),
            new Window.Calendar(Window.Calendar.Period.DAY, ZoneId.of("UTC")),
            new Window.Calendar(Window.Calendar.Period.DAY, ZoneId.of("America/New_York")),
            new Window.Calendar(Window.Calendar.Period.WEEK, ZoneId.of("Europe/Berlin")),
            new Window.Calendar(Window.Calendar.Period.MONTH, ZoneId.of("Asia/Kolkata")),
            Window.Lifetime.INSTANCE);

    private static final List<Price> PRICES = List.of(
            new Price(new Price.Rates(1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000), List.of(), 0, 0),
            new Price(
                    new Price.Rates(1_250_000, 300_000, 2_000_000, 3_000_000, 3_500_000),
                    List.of(new Price.Step(9, new Price.Rates(2_500_000, 500_000, 4_000_000, 6_000_000, 7_000_000))),
                    7,
                    0),
            Price.unknown("new"));

    private Steps() {}

    /** One thing done to a ledger and to its reference. */
    interface Step {
        void on(Twin twin);
    }

    /** Which scopes a call falls under, what it asks for, and under which id. */
    record Reserve(
            List<Scope> scopes,
            long input,
            long output,
            @Nullable String id,
            Duration hold,
            Admission admission,
            HoldRequest.Kind kind,
            int within,
            @Nullable Price price,
            boolean byOthers)
            implements Step {
        /** For {@link #within}: draws from nothing. */
        static final int NOTHING = -1;

        @Override
        public void on(Twin twin) {
            twin.reserve(request(twin, id, twin.within(within), admission));
        }

        HoldRequest request(Twin twin, @Nullable String id, @Nullable String within, Admission admission) {
            List<BudgetRef> budgets =
                    scopes.stream().map(scope -> twin.budget(scope, byOthers)).toList();
            return new HoldRequest(
                    id,
                    budgets,
                    kind == HoldRequest.Kind.UP_FRONT ? 0 : input,
                    output,
                    hold,
                    admission,
                    kind,
                    within,
                    price);
        }
    }

    private record Rest(int within, @Nullable Price price, boolean byOthers) {}

    /** Ends, grows or prolongs one of the reservations seen so far. */
    record OnReservation(Kind kind, int index, long input, long output, Duration time, OverrunPolicy overrun)
            implements Step {
        enum Kind {
            SETTLE,
            SETTLE_TOTAL,
            REFUND,
            TOP_UP,
            EXTEND
        }

        @Override
        public void on(Twin twin) {
            String id = twin.ids.isEmpty() ? "never-made" : twin.ids.get(index % twin.ids.size());
            if (twin.isLateAfterReconfiguration(id)) {
                return;
            }
            switch (kind) {
                case SETTLE -> {
                    Usage usage = new Usage(input, input / 2, input / 4, output, output / 3);
                    both(twin, real -> real.settle(id, usage, overrun), model -> model.settle(id, usage, overrun));
                }
                case SETTLE_TOTAL ->
                    both(
                            twin,
                            real -> real.settle(id, input + output, overrun),
                            model -> model.settle(id, input + output, overrun));
                case REFUND -> both(twin, real -> real.refund(id), model -> model.refund(id));
                case TOP_UP ->
                    twin.both(
                            real -> real.topUp(id, output + 1, Admission.ENFORCE),
                            model -> model.topUp(id, output + 1, Admission.ENFORCE));
                case EXTEND -> twin.both(real -> real.extend(id, time), model -> model.extend(id, time));
            }
        }

        private static void both(
                Twin twin,
                java.util.function.Consumer<io.tokenbudget.core.spi.Ledger> onReal,
                java.util.function.Consumer<ReferenceLedger> onReference) {
            twin.both(
                    real -> {
                        onReal.accept(real);
                        return null;
                    },
                    model -> {
                        onReference.accept(model);
                        return null;
                    });
        }
    }

    /** Lets time pass. */
    record Wait(Duration by) implements Step {
        @Override
        public void on(Twin twin) {
            twin.clock.advance(by);
            twin.both(real -> null, model -> null);
        }
    }

    /** Changes the limits of one scope. */
    record Reconfigure(Scope scope, List<Limit> limits) implements Step {
        @Override
        public void on(Twin twin) {
            twin.limits.put(scope, limits);
        }
    }

    static Arbitrary<Map<Scope, List<Limit>>> configuration() {
        return limits().list().ofSize(SCOPES.size()).map(all -> {
            Map<Scope, List<Limit>> byScope = new LinkedHashMap<>();
            for (int i = 0; i < SCOPES.size(); i++) {
                byScope.put(SCOPES.get(i), all.get(i));
            }
            return byScope;
        });
    }

    static Arbitrary<Step> any() {
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(6, reserve()),
                net.jqwik.api.Tuple.of(6, onReservation()),
                net.jqwik.api.Tuple.of(3, waiting()),
                net.jqwik.api.Tuple.of(1, reconfigure()));
    }

    /** Steps of runs that hold up front, within one another: for one or two budgets with nothing but token limits. */
    static Arbitrary<Step> upFront() {
        Arbitrary<Step> reserve = Combinators.combine(
                        Arbitraries.of(List.of(Scope.GLOBAL), List.of(Scope.GLOBAL, SCOPES.get(0))),
                        Arbitraries.of(0L, 10L),
                        Arbitraries.of(10L, 40L, 90L),
                        Arbitraries.of(HoldRequest.Kind.values()),
                        Arbitraries.integers().between(1, 30).injectNull(0.1))
                .as((scopes, input, output, kind, within) -> new Reserve(
                        scopes,
                        input,
                        output,
                        null,
                        Duration.ofMinutes(5),
                        Admission.ENFORCE,
                        kind,
                        within == null ? Reserve.NOTHING : within,
                        null,
                        false));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(6, reserve),
                net.jqwik.api.Tuple.of(4, onReservation()),
                net.jqwik.api.Tuple.of(
                        1,
                        Arbitraries.of(Duration.ofMillis(1), Duration.ofMinutes(3))
                                .map(Wait::new)));
    }

    static Arbitrary<Map<Scope, List<Limit>>> tokenLimits() {
        Arbitrary<Limit> limit = Arbitraries.of(200L, 400L, Limit.UNLIMITED)
                .map(amount -> new Limit(amount, LimitUnit.TOKENS, Window.Lifetime.INSTANCE, amount + " tokens"));
        return Combinators.combine(limit, limit)
                .as((ofAgent, ofAll) ->
                        new LinkedHashMap<>(Map.of(SCOPES.get(0), List.of(ofAgent), Scope.GLOBAL, List.of(ofAll))));
    }

    private static Arbitrary<Step> reserve() {
        Arbitrary<@Nullable String> ids = Arbitraries.of("r-1", "r-2", "r-3#2").injectNull(0.7);
        return Combinators.combine(
                        Arbitraries.of(SCOPES).set().ofMaxSize(3).map(List::copyOf),
                        Arbitraries.of(0L, 1L, 10L, 50L),
                        Arbitraries.of(1L, 10L, 40L, 90L),
                        ids,
                        Arbitraries.of(Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofSeconds(10)),
                        Arbitraries.frequency(
                                net.jqwik.api.Tuple.of(9, Admission.ENFORCE),
                                net.jqwik.api.Tuple.of(1, Admission.OBSERVE)),
                        Arbitraries.frequency(
                                net.jqwik.api.Tuple.of(3, HoldRequest.Kind.CALL),
                                net.jqwik.api.Tuple.of(1, HoldRequest.Kind.UP_FRONT)),
                        Combinators.combine(
                                        Arbitraries.integers()
                                                .between(0, 30)
                                                .injectNull(0.5)
                                                .map(n -> n == null ? Reserve.NOTHING : n),
                                        Arbitraries.of(PRICES).injectNull(0.2),
                                        Arbitraries.of(false, false, true))
                                .as(Rest::new))
                .as((scopes, input, output, id, hold, admission, kind, rest) -> new Reserve(
                        scopes,
                        input,
                        output,
                        id,
                        hold,
                        admission,
                        kind,
                        rest.within(),
                        rest.price(),
                        rest.byOthers()));
    }

    private static Arbitrary<Step> onReservation() {
        return Combinators.combine(
                        Arbitraries.of(OnReservation.Kind.values()),
                        Arbitraries.integers().between(0, 30),
                        Arbitraries.of(0L, 1L, 10L, 60L, 200L),
                        Arbitraries.of(0L, 5L, 40L, 500L),
                        Arbitraries.of(Duration.ofSeconds(1), Duration.ofMinutes(10)),
                        Arbitraries.of(OverrunPolicy.CHARGE_ACTUAL, OverrunPolicy.CAP_AT_ESTIMATE))
                .as(OnReservation::new);
    }

    private static Arbitrary<Step> waiting() {
        return Arbitraries.of(
                        Duration.ofMillis(1),
                        Duration.ofMillis(17),
                        Duration.ofMillis(900),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(59),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(61),
                        Duration.ofHours(7),
                        Duration.ofDays(8),
                        Duration.ofSeconds(-3))
                .map(Wait::new);
    }

    private static Arbitrary<Step> reconfigure() {
        return Combinators.combine(Arbitraries.of(SCOPES), limits()).as(Reconfigure::new);
    }

    private static Arbitrary<List<Limit>> limits() {
        return limit().list().ofMaxSize(3).uniqueElements(limit -> limit.unit() + " " + limit.window());
    }

    private static Arbitrary<Limit> limit() {
        return Combinators.combine(
                        Arbitraries.of(
                                LimitUnit.TOKENS,
                                LimitUnit.TOKENS,
                                LimitUnit.INPUT_TOKENS,
                                LimitUnit.OUTPUT_TOKENS,
                                LimitUnit.REQUESTS,
                                LimitUnit.ATTEMPTS,
                                LimitUnit.USD,
                                LimitUnit.USD,
                                LimitUnit.CONCURRENT),
                        Arbitraries.of(0L, 1L, 2L, 3L, 50L, 100L, 200L, 1000L, Limit.UNLIMITED),
                        Arbitraries.of(WINDOWS))
                .as((unit, amount, window) -> {
                    Window over = unit == LimitUnit.CONCURRENT ? Window.Lifetime.INSTANCE : window;
                    return new Limit(amount, unit, over, amount + " " + unit + " per " + over);
                });
    }
}
