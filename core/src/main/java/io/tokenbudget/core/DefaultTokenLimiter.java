package io.tokenbudget.core;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.Reservation;
import io.tokenbudget.ReservationRequest;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.Usage;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.ScopePattern;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.HoldRequest.Kind;
import io.tokenbudget.core.spi.Ledger;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Price;
import io.tokenbudget.core.spi.Scope;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A limiter that finds the budgets of a call in its settings and keeps them in a ledger. Made by
 * {@link TokenLimiters#builder()}.
 *
 * <p>Thread-safe: the settings are immutable, the ledger is atomic, and the overrun policy is one volatile field.
 */
public final class DefaultTokenLimiter implements TokenLimiter {
    private static final Duration LONGEST_EXTENSION = Duration.ofDays(3650);

    /** Budgets in a report: a few megabytes of JSON. */
    private static final int MOST_REPORTED = 10_000;

    private final Settings settings;
    private final BudgetSelector selector;
    private final Identity identity;
    private final Ledger ledger;
    private final InstantSource clock;
    private final boolean runBudgets;
    private final PriceList prices;
    private volatile OverrunPolicy overrun;

    DefaultTokenLimiter(Settings settings, Ledger ledger, InstantSource clock) {
        this.settings = settings;
        this.selector = new BudgetSelector(settings.budgets(), settings.plans());
        this.identity = new Identity(settings.identity());
        this.ledger = ledger;
        this.clock = clock;
        this.overrun = settings.overrun();
        this.prices = new PriceList(settings.prices());
        this.runBudgets = selector.dimensions().contains("run");
    }

    @Override
    public Reservation reserve(ReservationRequest request) {
        return reserve(request, HoldTerms.NONE);
    }

    /**
     * Holds on {@code terms} too.
     *
     * @throws io.tokenbudget.LimitExceededException if a limit refuses
     */
    public Reservation reserve(ReservationRequest request, HoldTerms terms) {
        return hold(request.id(), request, terms, settings.mode(), Kind.CALL);
    }

    /**
     * Holds for calls to come, which then draw from it: on what they all fall under, models and money aside.
     *
     * @param estimate the caller, and all tokens as output
     * @return to be refunded when no more calls come; the calls are settled by themselves
     * @throws io.tokenbudget.LimitExceededException if a limit refuses
     */
    public Reservation reserveUpFront(ReservationRequest estimate, HoldTerms terms) {
        return hold(null, estimate, terms, settings.mode(), Kind.UP_FRONT);
    }

    private Reservation hold(
            @Nullable String id, ReservationRequest request, HoldTerms terms, Admission admission, Kind kind) {
        BudgetContext context = identity.complete(request.context(), DefaultTokenLimiter::unknown);
        List<BudgetRef> budgets = with(selector.select(context, request.model()), terms.budgets());
        Price price = kind == Kind.UP_FRONT ? null : prices.of(request.model(), budgets, request.images());
        return ledger.reserve(new HoldRequest(
                id,
                budgets,
                request.inputTokens(),
                request.outputTokens(),
                settings.hold(),
                admission,
                kind,
                terms.upFront(),
                price != null && terms.goesOn() ? price.goingOn(terms.goesOnAfter()) : price));
    }

    /** Of two for one scope the one in {@code more}, which knows of the other. */
    private static List<BudgetRef> with(List<BudgetRef> selected, List<BudgetRef> more) {
        if (more.isEmpty()) {
            return selected;
        }
        Map<Scope, BudgetRef> all = new LinkedHashMap<>();
        selected.forEach(budget -> all.put(budget.scope(), budget));
        more.forEach(budget -> all.put(budget.scope(), budget));
        return List.copyOf(all.values());
    }

    /**
     * A budget of {@code scope} with limits that the configuration does not say, beside those that it says for {@code caller}.
     *
     * @param scope of one dimension
     * @param limits at most one for each unit and window
     */
    public BudgetRef budget(Scope scope, List<Limit> limits, BudgetContext caller) {
        BudgetRef configured = configured(scope, caller);
        if (configured == null) {
            return new BudgetRef(scope, limits);
        }
        Map<List<Object>, Limit> tightest = new LinkedHashMap<>();
        for (List<Limit> each : List.of(configured.limits(), limits)) {
            for (Limit limit : each) {
                tightest.merge(
                        List.of(limit.unit(), limit.window()), limit, (a, b) -> a.amount() <= b.amount() ? a : b);
            }
        }
        return new BudgetRef(scope, List.copyOf(tightest.values()));
    }

    /**
     * The budgets that a call of {@code caller} to {@code model} falls under, each with the row of the configuration that says so.
     *
     * @param caller completed from the sources of the process
     * @param model null if it names none
     */
    public List<AppliedRow> applied(BudgetContext caller, @Nullable String model) {
        return selector.applied(identity.complete(caller, DefaultTokenLimiter::unknown), model);
    }

    /** The budget that the configuration has for {@code scope}, of one dimension, and {@code caller}; null if it has none. */
    public @Nullable BudgetRef configured(Scope scope, BudgetContext caller) {
        return selector.find(Map.of(scope.dimension(), scope.value()), caller);
    }

    @Override
    public Reservation reserve(String agent, String tenant, long estimatedTokens) {
        requirePositive("estimatedTokens", estimatedTokens);
        BudgetContext context = identity.complete(BudgetContext.of(agent, tenant), DefaultTokenLimiter::unknown);
        List<BudgetRef> budgets = selector.select(context, null);
        return ledger.reserve(new HoldRequest(
                null,
                budgets,
                0,
                estimatedTokens,
                settings.hold(),
                settings.mode(),
                Kind.CALL,
                null,
                prices.of(null, budgets, 0)));
    }

    /** Holds whatever the limits say, on {@code terms} too, for a call that was made already. */
    public Reservation admit(ReservationRequest made, HoldTerms terms) {
        return hold(null, made, terms, Admission.OBSERVE, Kind.CALL);
    }

    /** Books usage of a call whose reservation is forgotten, whatever the limits say. Its attempt counts again. */
    public void charge(ReservationRequest forgotten, HoldTerms terms, Usage actual) {
        ledger.settle(admit(forgotten, terms).id(), actual, overrun);
    }

    @Override
    public Reservation topUp(String reservationId, long moreTokens) {
        Objects.requireNonNull(reservationId, "reservationId");
        requirePositive("moreTokens", moreTokens);
        return ledger.topUp(reservationId, moreTokens, settings.mode());
    }

    @Override
    public Reservation extend(String reservationId, Duration more) {
        Objects.requireNonNull(reservationId, "reservationId");
        if (more.isNegative() || more.isZero()) {
            throw new IllegalArgumentException("more must be positive, not " + more);
        }
        if (more.compareTo(LONGEST_EXTENSION) > 0) {
            throw new IllegalArgumentException(
                    "more must be at most " + LONGEST_EXTENSION.toDays() + " days, not " + more);
        }
        return ledger.extend(reservationId, more);
    }

    @Override
    public void settle(String reservationId, Usage actual) {
        Objects.requireNonNull(reservationId, "reservationId");
        ledger.settle(reservationId, Objects.requireNonNull(actual, "actual"), overrun);
    }

    @Override
    public void settle(String reservationId, long actualTokens) {
        Objects.requireNonNull(reservationId, "reservationId");
        if (actualTokens < 0) {
            throw new IllegalArgumentException("actualTokens must not be negative, not " + actualTokens);
        }
        ledger.settle(reservationId, actualTokens, overrun);
    }

    @Override
    public void refund(String reservationId) {
        ledger.refund(Objects.requireNonNull(reservationId, "reservationId"));
    }

    @Override
    public long remaining(String scope) {
        BudgetRef budget = find(scope);
        long tightest = Long.MAX_VALUE;
        if (budget != null) {
            for (BudgetStatus status : ledger.status(budget)) {
                if (status.unit().equals(LimitUnit.TOKENS.toString())) {
                    tightest = Math.min(tightest, status.remaining());
                }
            }
        }
        return tightest;
    }

    @Override
    public List<BudgetStatus> status() {
        return withNamed(ledger.status());
    }

    /**
     * How the budgets stand whose scopes are made of these dimensions alone, with the values that {@code context} has. Looks them
     * up one by one; none comes to be by it.
     */
    public List<BudgetStatus> statusOf(BudgetContext context, Collection<String> dimensions) {
        List<BudgetStatus> statuses = new ArrayList<>();
        for (BudgetRef budget : selector.selectOf(context, dimensions)) {
            statuses.addAll(ledger.status(budget));
        }
        return statuses;
    }

    private List<BudgetStatus> withNamed(List<BudgetStatus> inUse) {
        List<BudgetStatus> live = new ArrayList<>(inUse);
        live.sort(Comparator.comparing(BudgetStatus::scope));
        Set<String> seen = new HashSet<>();
        live.forEach(status -> seen.add(status.scope()));
        List<BudgetStatus> all = new ArrayList<>();
        for (BudgetRef named : selector.named()) {
            if (!seen.contains(named.scope().toString())) {
                all.addAll(ledger.status(named));
            }
        }
        all.addAll(live);
        return List.copyOf(all);
    }

    /** No call of the run named {@code run} will be made any more. */
    public void endRun(String run) {
        ledger.endRun(run);
    }

    /** What the configuration says. */
    public Settings settings() {
        return settings;
    }

    /** Of windows and expiries. */
    public InstantSource clock() {
        return clock;
    }

    /** Swaps what is booked beyond the estimate, for every settle from now on. */
    public void overrunPolicy(OverrunPolicy policy) {
        overrun = Objects.requireNonNull(policy, "policy");
    }

    /** Whether any budget is kept for runs. */
    public boolean hasRunBudgets() {
        return runBudgets;
    }

    /**
     * {@code context} completed from the configured identity sources.
     *
     * @param lookup reads those that are neither the process's nor the request's
     */
    public BudgetContext identify(BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        return identity.complete(context, lookup);
    }

    /**
     * A context that carries what one HTTP request says of its caller, and nothing else; {@link BudgetContext#EMPTY} if it
     * says nothing that the configuration asks for.
     *
     * @param lookup reads the request; asked once for each configured source of one, before this returns
     */
    public BudgetContext ofRequest(Function<IdentitySource, @Nullable String> lookup) {
        return identity.ofRequest(lookup);
    }

    /**
     * {@code context} completed from the configured sources that are not the process's: what is known of who sent a request,
     * and of nobody else.
     *
     * @param lookup reads those that are not the request's
     */
    public BudgetContext identifyCaller(BudgetContext context, Function<IdentitySource, @Nullable String> lookup) {
        return identity.completeOfCaller(context, lookup);
    }

    /** What the request that {@code context} carries says at {@code source}, a source of requests; null if nothing. */
    public static @Nullable String saidByRequest(BudgetContext context, IdentitySource source) {
        return RequestValues.in(context, source);
    }

    /** The report of this limiter and of what was counted around it. */
    public BudgetReport report(BudgetReport.Calls calls, List<BudgetReport.ModelEstimate> estimates) {
        return new BudgetReport(
                clock.instant(),
                settings.mode().name().toLowerCase(Locale.ROOT),
                withNamed(ledger.status(MOST_REPORTED)),
                ledger.counts(),
                calls,
                estimates);
    }

    private @Nullable BudgetRef find(String scope) {
        Set<String> known = selector.dimensions();
        known.addAll(settings.identity().keySet());
        ScopePattern pattern = ScopePattern.parse(scope, known);
        Map<String, @Nullable String> values = pattern.byDimension();
        if (!scope.equals("global") && values.containsValue(null)) {
            throw new IllegalArgumentException(
                    "\"" + scope + "\" names no single budget: write a dimension and its value, such as"
                            + " \"agent:planner\" or \"tenant:acme\"");
        }
        return selector.find(values);
    }

    private static @Nullable String unknown(IdentitySource source) {
        return null;
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
