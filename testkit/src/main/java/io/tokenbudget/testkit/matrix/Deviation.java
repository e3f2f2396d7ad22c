package io.tokenbudget.testkit.matrix;

/**
 * A row in which an integration, or one of its providers, is booked otherwise than the rest.
 *
 * @param row the scenario or the name of the row
 * @param booking what is booked there
 * @param reason what the framework or the provider does that makes it so
 */
public record Deviation(String row, Booking booking, String reason) {}
