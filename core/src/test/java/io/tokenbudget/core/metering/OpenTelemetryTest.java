package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.tokenbudget.BudgetStatus;
import io.tokenbudget.Usage;
import io.tokenbudget.core.TokenLimiters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // what is current is not looked at
@DisplayName("C10, C7 OpenTelemetry: baggage says who is calling, the current span says which reservation is held")
class OpenTelemetryTest {
    private static final String YAML = """
            identity: {tenant: ["baggage:tenant", "literal:nobody"]}
            budgets: [{scope: tenant, limits: [1000 tokens per 1h]}]
            """;

    private final List<String> notices = new ArrayList<>();
    private final Metering metering =
            new Metering(TokenLimiters.builder().yaml(YAML).build(), notices::add);
    private final CallMeter meter =
            metering.meter(CallerSource.of(OpenTelemetryTest.class.getClassLoader()), RefusalFactory.OWN);

    private void call() {
        meter.open(new Object(), () -> ModelCall.of("gpt", 10, 1)).succeed(Usage.of(10, 1), 0, null);
    }

    private List<String> charged() {
        assertThat(notices).isEmpty();
        return metering.report().budgets().stream()
                .filter(status -> status.used() > 0)
                .map(BudgetStatus::scope)
                .toList();
    }

    @Test
    void baggageSaysWhoIsCalling() {
        try (Scope scope = Baggage.builder().put("tenant", "acme").build().makeCurrent()) {
            call();
        }

        assertThat(charged()).containsExactly("tenant:acme");
    }

    @Test
    void withoutBaggageTheNextSourceDoes() {
        call();

        assertThat(charged()).containsExactly("tenant:nobody");
    }

    @Test
    void theCurrentSpanHasTheReservationOfTheCallMadeInIt() {
        try (SdkTracerProvider tracers = SdkTracerProvider.builder().build()) {
            Span span = tracers.get("test").spanBuilder("ask").startSpan();
            try (Scope scope = span.makeCurrent()) {
                call();
            }
            span.end();

            String reservation =
                    ((ReadableSpan) span).getAttribute(AttributeKey.stringKey(ThreadValues.SPAN_ATTRIBUTE));
            assertThat(reservation).isNotBlank();
            metering.limiter.refund(reservation); // throws if there was none
        }
    }
}
