package io.tokenbudget.core;

import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.spi.BudgetRef;

/**
 * A budget that a call falls under, and why.
 *
 * @param budget with the limits that are in force for the call
 * @param row of the configuration where they come from
 */
public record AppliedRow(BudgetRef budget, BudgetRow row) {}
