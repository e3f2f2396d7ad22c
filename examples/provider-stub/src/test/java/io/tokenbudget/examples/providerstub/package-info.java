/** Tests over real HTTP with the JDK's client: what is told to the client and what is booked must be the same. */
@NullMarked
package io.tokenbudget.examples.providerstub;

import org.jspecify.annotations.NullMarked;
