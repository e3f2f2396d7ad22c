/**
 * A stand-in for a model provider: it speaks the providers' own formats, behaves as the model's name says and writes
 * down what it billed.
 *
 * <p>{@link io.tokenbudget.examples.providerstub.ProviderStub} and what it hands out may be used by tests and by the
 * demo. What a scenario does ({@code Scenario}, {@code StubModel}) is kept apart from how a provider writes it down
 * ({@code WireFormat}). Nothing of Token Budget may be imported here: the stub is the other side of the account.
 */
@NullMarked
package io.tokenbudget.examples.providerstub;

import org.jspecify.annotations.NullMarked;
