package io.tokenbudget.springai;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.observation.ChatModelObservationContext;

/**
 * Meters chat models of Spring AI 2 by what they observe, for applications without the agent and models that cannot be wrapped
 * because their class is final and the application knows them by it.
 *
 * <p>A call that does not fit its budgets throws a {@link io.tokenbudget.LimitExceededException}, a stream that does not fit
 * ends with one, before anything is observed or sent. What flows is not seen: for a stream the whole estimate is held, it is
 * never cut, and one that is cancelled or breaks off is booked with its estimate. A call inside of one that is metered
 * otherwise is left to that.
 *
 * <p>Only where the model runs no tools itself: the models of Spring AI 1.x observe the sum over all rounds. Thread-safe.
 */
public final class ObservedChats {
    private ObservedChats() {}

    /** Whether this version of Spring AI has models that one observation of is one call to a provider. */
    public static boolean areSupported() {
        return !CallOptions.MODEL_MERGES;
    }

    /**
     * Meters whatever observes with {@code registry}. To be called once for a registry, before any predicate that may switch
     * observations of models off.
     *
     * @throws IllegalStateException if they are not {@linkplain #areSupported supported}
     */
    public static void meter(ObservationRegistry registry, CallMeter meter) {
        if (!areSupported()) {
            throw new IllegalStateException("the models of Spring AI 1.x observe the sum over all rounds of a call");
        }
        Observing observing = new Observing(meter, new SpringAiMeter(meter));
        registry.observationConfig().observationPredicate(observing).observationHandler(observing);
    }

    private record Observing(CallMeter calls, SpringAiMeter meter)
            implements ObservationPredicate, ObservationHandler<ChatModelObservationContext> {

        /** Asked before a call is observed: what is thrown here leaves no listener with an observation that never stops. */
        @Override
        public boolean test(String name, Observation.Context context) {
            if (context instanceof ChatModelObservationContext chat && !isMeteredOtherwise()) {
                // The options of a prompt are complete by now: the model itself is not needed.
                Frame frame = meter.open(chat, chat.getRequest());
                RuntimeException refusal = frame.refusal();
                frame.detach();
                if (refusal != null) {
                    throw refusal;
                }
                chat.put(Frame.class, frame);
            }
            return true;
        }

        private boolean isMeteredOtherwise() {
            Frame current = calls.current();
            return current != null && !current.inTools();
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof ChatModelObservationContext;
        }

        @Override
        public void onStop(ChatModelObservationContext context) {
            Frame frame = context.get(Frame.class);
            if (frame == null) {
                return;
            }
            ChatResponse response = context.getResponse();
            Throwable thrown = context.getError();
            if (response == null && thrown == null) {
                // A stream that was left before its end.
                frame.endUnseen();
            } else {
                meter.close(frame, response, response == null ? thrown : null);
            }
        }
    }
}
