package io.tokenbudget.core.config;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time zones as users write them. */
final class ZoneText {
    private ZoneText() {}

    /**
     * @throws InvalidValueException if it is no zone
     */
    static ZoneId parse(String text) {
        try {
            return ZoneId.of(text).normalized();
        } catch (DateTimeException unknown) {
            throw InvalidValueException.notAllowed(
                    text, "UTC, a region such as Europe/Berlin, or an offset such as +02:00");
        }
    }

    static String format(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.toString();
    }
}
