/**
 * What docs/usage.md says that providers bill, and answers of each of them that are recorded in {@code answers/}, to hold
 * integrations to it. Used by one module for each line of a framework; knows no framework.
 */
@NullMarked
package io.tokenbudget.integrationtests.usage;

import org.jspecify.annotations.NullMarked;
