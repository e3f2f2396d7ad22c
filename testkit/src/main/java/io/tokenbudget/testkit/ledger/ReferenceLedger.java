package io.tokenbudget.testkit.ledger;

import io.tokenbudget.IdempotencyConflictException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.ReservationStatus;
import io.tokenbudget.UnknownReservationException;
import io.tokenbudget.Usage;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.HoldRequest;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.LedgerCounts;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Scope;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules written down as slowly and plainly as possible: every booking is kept for ever, and every sum is computed
 * anew each time it is asked for. Single-threaded.
 */
final class ReferenceLedger {
    private final long remember;
    private final int rememberAtMost;
    private final Map<String, Hold> holds = new LinkedHashMap<>();
    private final List<Hold> ended = new ArrayList<>();
    private final Map<Scope, List<Limit>> inForce = new HashMap<>();
    private final Map<Scope, List<Limit>> kept = new HashMap<>();
    private final List<Booking> bookings = new ArrayList<>();
    private long now = Long.MIN_VALUE;
    private long settled;
    private long refunded;
    private long expired;
    private long refused;

    ReferenceLedger(Duration remember, int rememberAtMost) {
        this.remember = remember.toMillis();
        this.rememberAtMost = rememberAtMost;
    }

    /** A reservation. */
    static final class Hold {
        final String id;
        final HoldRequest request;
        long output;
        long expiresAt;
        ReservationStatus status = ReservationStatus.HELD;
        boolean settledLate;
        long endedAt;

        /** Where it draws from. */
        @Nullable
        Hold outer;

        /** How much it has of there, and how much of its own. */
        long drawn;

        long own;

        Hold(String id, HoldRequest request, long now) {
            this.id = id;
            this.request = request;
            this.output = request.outputTokens();
            this.expiresAt = now + request.hold().toMillis();
        }

        boolean isOn(Scope scope) {
            return request.budgets().stream().anyMatch(budget -> budget.scope().equals(scope));
        }

        boolean isUpFront() {
            return request.kind() == HoldRequest.Kind.UP_FRONT;
        }

        long amount(LimitUnit unit) {
            if (isUpFront()) {
                return unit == LimitUnit.TOKENS ? output : 0;
            }
            return amountOf(unit, request.inputTokens(), output, mostCost(output));
        }

        /** In nano-USD, of this much output. */
        long mostCost(long ofOutput) {
            return isUpFront() || request.price() == null ? 0 : request.price().most(request.inputTokens(), ofOutput);
        }
    }

    private record Booking(Scope scope, LimitUnit unit, Window window, long time, long amount) {}

    /** What a refusal must say; of several limits with the same wait any may be named. */
    record Refusal(
            Scope scope,
            Limit limit,
            long requested,
            long remaining,
            @Nullable Duration retryAfter,
            RefusalReason reason) {}

    /** Thrown in place of the exception that a real ledger throws. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final transient List<Refusal> longest;

        Refused(List<Refusal> longest) {
            super(longest.toString());
            this.longest = longest;
        }
    }

    void advanceTo(long time) {
        now = Math.max(now, time);
        holds.values().stream()
                .filter(hold -> hold.status == ReservationStatus.HELD && hold.expiresAt <= now)
                .sorted(Comparator.comparingLong(hold -> hold.expiresAt))
                .toList()
                .forEach(hold -> {
                    end(hold, ReservationStatus.EXPIRED, hold.expiresAt);
                    expired++;
                });
        ended.removeIf(hold -> {
            boolean forgotten = now - hold.endedAt >= remember;
            if (forgotten) {
                holds.remove(hold.id);
            }
            return forgotten;
        });
    }

    Hold reserve(HoldRequest request, java.util.function.Supplier<String> idOfReal) {
        Hold known = request.id() == null ? null : holds.get(request.id());
        if (known != null) {
            boolean same = known.request.kind() == request.kind()
                    && known.request.inputTokens() == request.inputTokens()
                    && known.request.outputTokens() == request.outputTokens()
                    && scopes(known.request).equals(scopes(request));
            if (!same) {
                throw new IdempotencyConflictException(known.id);
            }
            return known;
        }
        request.budgets().forEach(this::use);
        Hold named = request.within() == null ? null : holds.get(request.within());
        Hold outer = named == null || !named.isUpFront() ? null : named;
        Map<Hold, Long> draws = draw(outer, request.inputTokens() + request.outputTokens());
        if (request.admission() == Admission.ENFORCE) {
            checkOrPutBack(draws, request, unit -> required(unit, request), null);
        }
        Hold hold = new Hold(idOfReal.get(), request, now);
        hold.outer = outer;
        holds.put(hold.id, hold);
        keep(hold, draws, request.inputTokens() + request.outputTokens());
        keepAlive(hold);
        if (!hold.isUpFront()) {
            for (BudgetRef budget : request.budgets()) {
                book(budget.scope(), unit -> unit == LimitUnit.ATTEMPTS ? 1 : 0);
            }
        }
        return hold;
    }

    private static long required(LimitUnit unit, HoldRequest request) {
        if (request.kind() == HoldRequest.Kind.UP_FRONT) {
            return unit == LimitUnit.TOKENS ? request.outputTokens() : 0;
        }
        long cost = request.price() == null ? 0 : request.price().most(request.inputTokens(), request.outputTokens());
        return unit == LimitUnit.ATTEMPTS ? 1 : amountOf(unit, request.inputTokens(), request.outputTokens(), cost);
    }

    /** From a hold outwards, as far as each is remembered. */
    private List<Hold> from(@Nullable Hold first) {
        List<Hold> chain = new ArrayList<>();
        for (Hold hold = first; hold != null && holds.get(hold.id) == hold; hold = hold.outer) {
            chain.add(hold);
        }
        return chain;
    }

    private Map<Hold, Long> draw(@Nullable Hold innermost, long wanted) {
        Map<Hold, Long> draws = new LinkedHashMap<>();
        long left = wanted;
        for (Hold hold : from(innermost)) {
            long amount = hold.status == ReservationStatus.HELD ? Math.min(left, hold.output) : 0;
            draws.put(hold, amount);
            hold.output -= amount;
            left -= amount;
        }
        return draws;
    }

    private void checkOrPutBack(
            Map<Hold, Long> draws,
            HoldRequest request,
            java.util.function.ToLongFunction<LimitUnit> amount,
            @Nullable Hold growing) {
        try {
            check(request, amount, growing);
        } catch (Refused refused) {
            draws.forEach((hold, drawn) -> hold.output += drawn);
            throw refused;
        }
    }

    private static void keep(Hold hold, Map<Hold, Long> draws, long amount) {
        long drawn = draws.values().stream().mapToLong(Long::longValue).sum();
        hold.drawn += drawn;
        hold.own += amount - drawn;
    }

    private void keepAlive(Hold inner) {
        for (Hold hold : from(inner.outer)) {
            if (hold.status == ReservationStatus.HELD) {
                hold.expiresAt = Math.max(hold.expiresAt, inner.expiresAt);
            }
        }
    }

    /** What a hold had drawn and did not use goes to the next one outwards that is held, as far as there is room. */
    private void giveBack(Hold ended, long unused) {
        if (unused <= 0) {
            return;
        }
        for (Hold hold : from(ended.outer)) {
            if (hold.status == ReservationStatus.HELD) {
                resume(hold);
                long back = unused;
                for (BudgetRef budget : hold.request.budgets()) {
                    for (Limit limit : limits(budget.scope())) {
                        if (limit.unit() == LimitUnit.TOKENS && !limit.unlimited()) {
                            long room = limit.amount()
                                    - used(budget.scope(), limit, now)
                                    - held(budget.scope(), limit.unit(), now);
                            back = Math.max(0, Math.min(back, room));
                        }
                    }
                }
                hold.output += back;
                return;
            }
        }
    }

    Hold topUp(String id, long more, Admission admission) {
        Hold hold = held(id);
        Map<Hold, Long> draws = draw(hold.outer, more);
        if (admission == Admission.ENFORCE) {
            resume(hold);
            checkOrPutBack(
                    draws,
                    hold.request,
                    unit -> switch (unit) {
                        case TOKENS -> more;
                        case OUTPUT_TOKENS -> hold.isUpFront() ? 0 : more;
                        case USD -> hold.mostCost(hold.output + more) - hold.mostCost(hold.output);
                        default -> 0;
                    },
                    hold);
        }
        hold.output += more;
        keep(hold, draws, more);
        return hold;
    }

    Hold extend(String id, Duration more) {
        Hold hold = held(id);
        hold.expiresAt += more.toMillis();
        keepAlive(hold);
        return hold;
    }

    void settle(String id, long total, OverrunPolicy overrun) {
        long input = Math.min(total, known(id).request.inputTokens());
        settle(id, Usage.of(input, total - input), overrun);
    }

    void settle(String id, Usage actual, OverrunPolicy overrun) {
        Hold hold = known(id);
        if (hold.isUpFront()) {
            throw new IllegalStateException(id);
        }
        boolean wasHeld = hold.status == ReservationStatus.HELD;
        if (wasHeld) {
            end(hold, ReservationStatus.SETTLED, now);
            settled++;
        } else if (hold.status == ReservationStatus.EXPIRED && !hold.settledLate) {
            hold.settledLate = true;
        } else {
            return;
        }
        for (BudgetRef budget : hold.request.budgets()) {
            inForce.putIfAbsent(budget.scope(), budget.limits());
            kept.putIfAbsent(budget.scope(), budget.kept());
            book(budget.scope(), unit -> {
                long used = unit == LimitUnit.CONCURRENT
                        ? 0
                        : amountOf(unit, actual.inputTokens(), actual.outputTokens(), cost(hold, actual));
                return used > hold.amount(unit) ? overrun.charge(unit, hold.amount(unit), used) : used;
            });
        }
        if (wasHeld) {
            long held = hold.request.inputTokens() + hold.output;
            long charged =
                    actual.total() > held ? overrun.charge(LimitUnit.TOKENS, held, actual.total()) : actual.total();
            giveBack(hold, hold.drawn - charged);
            draw(hold.outer, Math.max(0, charged - hold.drawn - hold.own));
        }
    }

    private static long cost(Hold hold, Usage actual) {
        return hold.request.price() == null ? 0 : hold.request.price().of(actual);
    }

    void refund(String id) {
        Hold hold = known(id);
        if (hold.status == ReservationStatus.HELD) {
            end(hold, ReservationStatus.REFUNDED, now);
            refunded++;
            giveBack(hold, hold.isUpFront() ? hold.output - hold.own : hold.drawn);
        }
    }

    @Nullable
    Hold find(String id) {
        return holds.get(id);
    }

    LedgerCounts counts() {
        long held = holds.values().stream()
                .filter(hold -> hold.status == ReservationStatus.HELD)
                .count();
        return new LedgerCounts(held, settled, refunded, expired, refused);
    }

    List<Limit> limits(Scope scope) {
        return inForce.getOrDefault(scope, List.of());
    }

    /** What is counted for a scope, whoever calls. */
    List<Limit> kept(Scope scope) {
        return kept.getOrDefault(scope, List.of());
    }

    /** What is held of a unit, without the holds that expire up to {@code time}. */
    long held(Scope scope, LimitUnit unit, long time) {
        return holds.values().stream()
                .filter(hold -> hold.status == ReservationStatus.HELD && hold.expiresAt > time && hold.isOn(scope))
                .mapToLong(hold -> hold.amount(unit))
                .sum();
    }

    boolean isHeldOn(Scope scope) {
        return holds.values().stream().anyMatch(hold -> hold.status == ReservationStatus.HELD && hold.isOn(scope));
    }

    long used(Scope scope, Limit limit, long time) {
        return bookings(scope, limit)
                .filter(booking -> leavesAt(booking) > time)
                .mapToLong(Booking::amount)
                .sum();
    }

    private java.util.stream.Stream<Booking> bookings(Scope scope, Limit limit) {
        return bookings.stream()
                .filter(booking -> booking.scope.equals(scope)
                        && booking.unit == limit.unit()
                        && booking.window.equals(limit.window()));
    }

    long now() {
        return now;
    }

    /** When a booking no longer counts. */
    private long leavesAt(Booking booking) {
        if (booking.window instanceof Window.Lifetime) {
            return Long.MAX_VALUE;
        }
        if (booking.window instanceof Window.Calendar calendar) {
            LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(booking.time), calendar.zone());
            LocalDate next = switch (calendar.period()) {
                case DAY -> day.plus(1, ChronoUnit.DAYS);
                case WEEK -> day.minusDays(day.getDayOfWeek().getValue() - 1L).plusWeeks(1);
                case MONTH -> day.withDayOfMonth(1).plusMonths(1);
            };
            return next.atStartOfDay(calendar.zone()).toInstant().toEpochMilli();
        }
        long window = ((Window.Rolling) booking.window).length().toMillis();
        long slice = (window + 59) / 60;
        // All of one slice leave together, a window after the last of them.
        long last = bookings.stream()
                .filter(other -> other.scope.equals(booking.scope)
                        && other.unit == booking.unit
                        && other.window.equals(booking.window)
                        && other.time / slice == booking.time / slice
                        && other.amount > 0)
                .mapToLong(Booking::time)
                .max()
                .orElse(booking.time);
        return last + window;
    }

    private void use(BudgetRef budget) {
        Scope scope = budget.scope();
        inForce.put(scope, budget.limits());
        List<Limit> before = kept.put(scope, budget.kept());
        if (before != null && before != budget.kept()) {
            bookings.removeIf(booking -> booking.scope.equals(scope)
                    && budget.kept().stream()
                            .noneMatch(limit -> limit.unit() == booking.unit
                                    && limit.window().equals(booking.window)));
        }
    }

    /** The limits that a hold was made under are in force again, unless the configuration has changed. */
    private void resume(Hold hold) {
        for (BudgetRef budget : hold.request.budgets()) {
            if (kept.get(budget.scope()) == budget.kept()) {
                inForce.put(budget.scope(), budget.limits());
            }
        }
    }

    private void book(Scope scope, java.util.function.ToLongFunction<LimitUnit> amount) {
        for (Limit limit : kept(scope)) {
            long booked = amount.applyAsLong(limit.unit());
            if (booked > 0) {
                bookings.add(new Booking(scope, limit.unit(), limit.window(), now, booked));
            }
        }
    }

    private void check(
            HoldRequest request, java.util.function.ToLongFunction<LimitUnit> amount, @Nullable Hold growing) {
        List<Refusal> refusals = new ArrayList<>();
        for (BudgetRef budget : request.budgets()) {
            for (Limit limit : limits(budget.scope())) {
                if (growing == null && limit.unit() == LimitUnit.USD && isOfUnknownPrice(request)) {
                    refusals.add(ofUnknownPrice(budget.scope(), limit));
                }
                long asked = amount.applyAsLong(limit.unit());
                if (asked > 0 && !limit.unlimited() && !fits(budget.scope(), limit, asked, now)) {
                    refusals.add(refusal(budget.scope(), limit, asked, growing));
                }
            }
        }
        if (!refusals.isEmpty()) {
            refused++;
            throw new Refused(longest(refusals));
        }
    }

    private static boolean isOfUnknownPrice(HoldRequest request) {
        return request.kind() == HoldRequest.Kind.CALL
                && request.price() != null
                && !request.price().isKnown();
    }

    private Refusal ofUnknownPrice(Scope scope, Limit limit) {
        long remaining = limit.unlimited()
                ? Limit.UNLIMITED
                : Math.max(0, limit.amount() - used(scope, limit, now) - held(scope, limit.unit(), now));
        return new Refusal(scope, limit, 0, remaining, null, RefusalReason.UNKNOWN_PRICE);
    }

    private boolean fits(Scope scope, Limit limit, long asked, long time) {
        return used(scope, limit, time) + held(scope, limit.unit(), time) + asked <= limit.amount();
    }

    /** @param growing the hold that is to grow: its own end makes no room for it */
    private Refusal refusal(Scope scope, Limit limit, long asked, @Nullable Hold growing) {
        long remaining = Math.max(0, limit.amount() - used(scope, limit, now) - held(scope, limit.unit(), now));
        long own = growing == null ? 0 : growing.amount(limit.unit());
        if (own + asked > limit.amount()) {
            return new Refusal(scope, limit, own + asked, remaining, null, RefusalReason.NEVER_FITS);
        }
        TreeSet<Long> changes = new TreeSet<>();
        bookings(scope, limit).map(this::leavesAt).forEach(changes::add);
        holds.values().stream().map(hold -> hold.expiresAt).forEach(changes::add);
        for (long time : changes.tailSet(now)) {
            long stays = growing == null || growing.expiresAt > time ? 0 : own;
            if (time != Long.MAX_VALUE && fits(scope, limit, asked + stays, time)) {
                return new Refusal(
                        scope, limit, asked, remaining, Duration.ofMillis(time - now), RefusalReason.LIMIT_REACHED);
            }
        }
        return new Refusal(scope, limit, asked, remaining, null, RefusalReason.LIMIT_REACHED);
    }

    private static List<Refusal> longest(List<Refusal> refusals) {
        Comparator<Refusal> byWait = Comparator.comparing(Refusal::reason)
                .thenComparing(Refusal::retryAfter, Comparator.nullsLast(Comparator.naturalOrder()));
        Refusal most = refusals.stream().max(byWait).orElseThrow();
        return refusals.stream()
                .filter(refusal -> byWait.compare(refusal, most) == 0)
                .toList();
    }

    private void end(Hold hold, ReservationStatus status, long at) {
        hold.status = status;
        hold.endedAt = at;
        ended.add(hold);
        while (ended.size() > rememberAtMost) {
            holds.remove(ended.remove(0).id);
        }
    }

    private Hold known(String id) {
        Hold hold = holds.get(id);
        if (hold == null) {
            throw new UnknownReservationException(id);
        }
        return hold;
    }

    private Hold held(String id) {
        Hold hold = known(id);
        if (hold.status != ReservationStatus.HELD) {
            throw new IllegalStateException(id);
        }
        return hold;
    }

    private static List<Scope> scopes(HoldRequest request) {
        return request.budgets().stream().map(BudgetRef::scope).toList();
    }

    static long amountOf(LimitUnit unit, long input, long output, long cost) {
        return switch (unit) {
            case TOKENS -> input + output;
            case INPUT_TOKENS -> input;
            case OUTPUT_TOKENS -> output;
            case USD -> cost;
            case REQUESTS, CONCURRENT -> 1;
            case ATTEMPTS -> 0;
        };
    }
}
