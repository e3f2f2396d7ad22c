package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.http.IncomingContext;
import io.tokenbudget.core.http.OutgoingContext;
import io.tokenbudget.core.metering.CallMeter;
import jakarta.inject.Singleton;

/** What services tell each other of whom they call for. */
@Factory
final class HttpFactory {
    /** For clients that Micronaut does not make. */
    @Singleton
    @Requires(missingBeans = OutgoingContext.class)
    OutgoingContext outgoingContext(CallMeter meter) {
        return new OutgoingContext(meter);
    }

    @Singleton
    @Requires(missingBeans = IncomingContext.class)
    IncomingContext incomingContext(CallMeter meter, Notices notices) {
        return new IncomingContext(meter, notices);
    }
}
