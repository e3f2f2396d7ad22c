/**
 * The stand-in provider as real client libraries see it: what they are told is what it has booked. Nothing of Token
 * Budget but the stub is used here.
 */
@NullMarked
package io.tokenbudget.integrationtests.providerstub;

import org.jspecify.annotations.NullMarked;
