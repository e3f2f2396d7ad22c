package io.tokenbudget.springai;

import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.core.metering.CallMeter;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;

/**
 * Meters chat models of Spring AI 2 by what they observe, for applications without the agent and models that cannot be wrapped
 * because their class is final and the application knows them by it.
 *
 * <p>A call that does not fit its budgets throws a {@link io.tokenbudget.LimitExceededException}, a stream that does not fit
 * ends with one, before anything is observed or sent. What flows is not seen: for a stream the whole estimate is held, it is
 * never cut, and one that is cancelled or breaks off is booked with its estimate. A call of a wrapper of the same model is left
 * to that wrapper.
 *
 * <p>Only where the model runs no tools itself: the models of Spring AI 1.x observe the sum over all rounds. Stateless.
 */
public final class ObservedChats {
    private ObservedChats() {}

    /** Whether this version of Spring AI has models that one observation of is one call to a provider. */
    public static boolean areSupported() {
        return !CallOptions.MODEL_MERGES;
    }

    /**
     * A registry for {@code model} alone, to be put in place of the one that it observes with. What it observes is handed on to
     * the application's: whatever that switches off, and whatever listens there and throws, changes nothing of what is booked.
     *
     * @param applications what {@code model} has observed with so far; null and one that observes nothing are the same. If it is
     *     a result of this method, it is replaced by one that books with {@code meter}
     * @return as thread-safe as a registry of Micrometer's
     * @throws IllegalStateException if such models are not {@linkplain #areSupported supported}
     */
    public static ObservationRegistry registry(
            ChatModel model, @Nullable ObservationRegistry applications, CallMeter meter) {
        if (!areSupported()) {
            throw new IllegalStateException("the models of Spring AI 1.x observe the sum over all rounds of a call");
        }
        ObservationRegistry known = applications == null ? ObservationRegistry.NOOP : applications;
        return new MeteringRegistry(
                known instanceof MeteringRegistry other ? other.applications() : known, model, meter);
    }
}
