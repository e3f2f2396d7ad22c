/**
 * What tests of budgets need: a clock that a test moves, assertions on budgets, and the contract suites that a new store
 * or integration proves itself with.
 *
 * <p>For test scope only. It may use every module; no main code of any module may use it.
 */
@NullMarked
package io.tokenbudget.testkit;

import org.jspecify.annotations.NullMarked;
