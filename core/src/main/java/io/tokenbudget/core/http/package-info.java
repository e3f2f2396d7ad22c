/**
 * What a service that answers over HTTP says of budgets: the answer to a refused request, and what the caller has left. Plain
 * values, for servers of every kind. Knows no server and no framework.
 */
@NullMarked
package io.tokenbudget.core.http;

import org.jspecify.annotations.NullMarked;
