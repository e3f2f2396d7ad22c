/** A Micronaut service for several tenants, held to their budgets without the agent. */
@NullMarked
package io.tokenbudget.examples.micronaut;

import org.jspecify.annotations.NullMarked;
