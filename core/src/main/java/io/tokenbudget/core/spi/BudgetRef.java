package io.tokenbudget.core.spi;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One budget that a call falls under, with the limits that are in force for it now.
 *
 * <p>The same {@code limits} instance is passed for as long as the configuration stays the same, so that a store may
 * compare by identity whether they changed.
 */
public final class BudgetRef {
    private final Scope scope;
    private final List<Limit> limits;
    private final List<Limit> kept;
    private final boolean countsMoney;

    /** Owned by the ledger that noted it, which reads and writes it under its lock. */
    private @Nullable Object place;

    /**
     * @param scope whose budget
     * @param limits unmodifiable, at most one for each unit and window
     */
    public BudgetRef(Scope scope, List<Limit> limits) {
        this(scope, limits, limits);
    }

    /**
     * A budget whose limits are others for other callers.
     *
     * @param limits of this call: unmodifiable, at most one for each unit and window
     * @param kept what is counted for the scope, whoever calls: one for each unit and window of any caller's limits; unmodifiable,
     *     and the same instance for as long as the configuration stays the same
     */
    public BudgetRef(Scope scope, List<Limit> limits, List<Limit> kept) {
        this.scope = Objects.requireNonNull(scope, "scope");
        this.limits = Objects.requireNonNull(limits, "limits");
        this.kept = Objects.requireNonNull(kept, "kept");
        this.countsMoney = limits.stream().anyMatch(limit -> limit.unit() == LimitUnit.USD);
    }

    /** Whose budget. */
    public Scope scope() {
        return scope;
    }

    /** Unmodifiable, at most one for each unit and window. */
    public List<Limit> limits() {
        return limits;
    }

    /** What is counted for the scope, whoever calls: a limit for each unit and window, whose amounts do not matter. */
    public List<Limit> kept() {
        return kept;
    }

    /** Whether any limit is in money. */
    public boolean countsMoney() {
        return countsMoney;
    }

    /**
     * What {@link #place(Object)} noted last, null if nothing was. It may be another ledger's: check before using it, and
     * read nothing but final fields for that.
     */
    public @Nullable Object place() {
        return place;
    }

    /** Notes where a ledger keeps this budget, to find it without a look-up next time. */
    public void place(Object noted) {
        place = noted;
    }

    @Override
    public String toString() {
        return scope + " " + limits;
    }
}
