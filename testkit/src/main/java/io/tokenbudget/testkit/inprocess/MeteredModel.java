package io.tokenbudget.testkit.inprocess;

import io.tokenbudget.Usage;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Frame;
import io.tokenbudget.core.metering.ModelCall;
import io.tokenbudget.testkit.annotation.Model;

/** A model of the annotation suite for adapters that meter in process. Thread-safe. */
public final class MeteredModel implements Model {
    private static final int INPUT = 60;
    private static final int OUTPUT = (int) TOKENS - INPUT;

    private final CallMeter meter;

    /** @param meter books its calls */
    public MeteredModel(CallMeter meter) {
        this.meter = meter;
    }

    @Override
    public String ask() {
        Frame frame = meter.open(this, () -> ModelCall.of("suite-model", INPUT, OUTPUT));
        RuntimeException refusal = frame.refusal();
        if (refusal != null) {
            throw refusal;
        }
        frame.succeed(Usage.of(INPUT, OUTPUT), 0, null);
        return "answer";
    }
}
