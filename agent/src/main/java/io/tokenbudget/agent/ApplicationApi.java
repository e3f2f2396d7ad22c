package io.tokenbudget.agent;

import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.RefusalFactory;

/**
 * The application's own {@code io.tokenbudget} classes as one of its class loaders sees them, where it has them.
 *
 * @param caller who is calling
 * @param refusals which exception to throw
 */
record ApplicationApi(CallerSource caller, RefusalFactory refusals) {

    static ApplicationApi seenBy(ClassLoader application) {
        return new ApplicationApi(CallerSource.of(application), RefusalFactory.OWN);
    }
}
