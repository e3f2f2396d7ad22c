package io.tokenbudget.integrationtests.usage;

import io.tokenbudget.core.metering.CallMeter;

/**
 * A client library of a framework for one provider.
 *
 * @param provider the row of {@link UsagePage} that it is held to
 * @param streams whether it asks for answers that flow
 * @param call asks once and returns when the answer is complete
 */
public record ProviderClient(String provider, boolean streams, Call call) {

    /** Asks a provider. */
    @FunctionalInterface
    public interface Call {
        /**
         * Asks once.
         *
         * @param baseUrl where the recorded provider listens, without a path
         * @param meter what the model is to be wrapped with
         * @param answer what comes back, for what cannot be sent to {@code baseUrl}
         */
        void ask(String baseUrl, CallMeter meter, Answer answer) throws Exception;
    }
}
