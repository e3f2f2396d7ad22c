package io.tokenbudget.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Metering;
import io.tokenbudget.core.metering.RefusalFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

@DisplayName("R7, C5: ten thousand streams that are opened and never end leave nothing behind")
class AbandonedStreamsTest {
    private static final int STREAMS = 10_000;
    private static final int MOST_COLLECTIONS = 50;

    private final List<String> notices = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Metering metering = new Metering(
            TokenLimiters.builder()
                    .yaml("hold: 1m\nbudgets: [{scope: global, limits: [1B tokens per 1h]}]")
                    .clock(() -> now)
                    .build(),
            notices::add);
    private final CallMeter meter =
            metering.meter(CallerSource.of(AbandonedStreamsTest.class.getClassLoader()), RefusalFactory.OWN);

    @Test
    void holdsExpireWhatFlowedIsBookedAndNoObjectOrThreadIsLeft() {
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        List<WeakReference<Object>> left = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            open(left);
        }
        assertThat(metering.openStreams()).isEqualTo(STREAMS);
        assertThat(metering.report().budgets())
                .allSatisfy(budget -> assertThat(budget.held()).isPositive());

        now = now.plus(Duration.ofSeconds(61));
        BudgetReport report = metering.report();

        assertThat(report.budgets())
                .allSatisfy(budget -> assertThat(budget.held()).isZero());
        assertThat(report.reservations().held()).isZero();
        assertThat(report.budgets().stream().mapToLong(BudgetStatus::used).sum())
                .as("the input and three words of each")
                .isGreaterThan(STREAMS * 4L);
        assertThat(metering.openStreams()).isZero();
        assertThat(meter.current()).isNull();
        assertCleared(left);
        Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
        after.removeAll(before);
        assertThat(after).as("threads that were not there before").isEmpty();
        assertThat(notices).isEmpty();
    }

    private void open(List<WeakReference<Object>> left) {
        Forgetful model = new Forgetful();
        Object application = new Object();
        List<Object> heard = new ArrayList<>();
        MeteredChatModel.wrap(model, meter).stream(new Prompt("hello")).subscribe(chunk -> heard.add(application));
        assertThat(heard).hasSize(3);
        left.add(new WeakReference<>(model));
        left.add(new WeakReference<>(application));
    }

    private static void assertCleared(List<WeakReference<Object>> left) {
        for (int i = 0; i < MOST_COLLECTIONS && left.stream().anyMatch(each -> each.get() != null); i++) {
            System.gc();
        }
        assertThat(left).allSatisfy(each -> assertThat(each.get()).isNull());
    }

    /** Begins to answer, and forgets about it. */
    private static final class Forgetful implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            throw new AssertionError("streams only");
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return Flux.range(0, 3)
                    .map(i -> new ChatResponse(List.of(new Generation(new AssistantMessage(" weather")))))
                    .concatWith(Flux.never());
        }
    }
}
