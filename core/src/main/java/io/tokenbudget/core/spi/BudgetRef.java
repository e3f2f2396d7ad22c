package io.tokenbudget.core.spi;

import java.util.List;

/**
 * One budget that a call falls under, with the limits that are in force for it now.
 *
 * <p>The same {@code limits} instance is passed for as long as the configuration stays the same, so that a store may
 * compare by identity whether they changed.
 *
 * @param scope whose budget
 * @param limits unmodifiable, at most one for each unit and window
 */
public record BudgetRef(Scope scope, List<Limit> limits) {}
