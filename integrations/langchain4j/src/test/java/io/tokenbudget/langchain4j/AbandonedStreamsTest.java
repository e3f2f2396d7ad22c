package io.tokenbudget.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
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
        Listener listener = new Listener();
        MeteredStreamingChatModel.wrap(model, meter)
                .chat(ChatRequest.builder().messages(UserMessage.from("hello")).build(), listener);
        assertThat(listener.heard).isEqualTo(3);
        left.add(new WeakReference<>(model));
        left.add(new WeakReference<>(listener));
    }

    private static void assertCleared(List<WeakReference<Object>> left) {
        for (int i = 0; i < MOST_COLLECTIONS && left.stream().anyMatch(each -> each.get() != null); i++) {
            System.gc();
        }
        assertThat(left).allSatisfy(each -> assertThat(each.get()).isNull());
    }

    /** Begins to answer, and forgets about it. */
    private static final class Forgetful implements StreamingChatModel {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            for (int i = 0; i < 3; i++) {
                handler.onPartialResponse(" weather");
            }
        }
    }

    private static final class Listener implements StreamingChatResponseHandler {
        private int heard;

        @Override
        public void onPartialResponse(String partial) {
            heard++;
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            throw new AssertionError("it never ends");
        }

        @Override
        public void onError(Throwable error) {
            throw new AssertionError(error);
        }
    }
}
