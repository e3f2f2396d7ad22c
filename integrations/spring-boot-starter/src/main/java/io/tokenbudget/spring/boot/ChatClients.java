package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Run;
import io.tokenbudget.springai.ClientCalls;
import io.tokenbudget.springai.SpringAiStreams;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientCustomizer;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/**
 * Makes what one call of a client asks its model for one run, whatever threads its advisors work on. It charges nothing: models
 * do. Thread-safe.
 *
 * <p>Only clients of the auto-configured builder have it. With others each call of a model is a run of its own, unless
 * {@code @TokenBudget} or a {@code BudgetContext} opened one.
 */
final class ChatClients implements ChatClientCustomizer {
    private final CallMeter meter;
    private final SpringAiStreams streams;

    ChatClients(CallMeter meter) {
        this.meter = meter;
        this.streams = new SpringAiStreams(meter);
    }

    @Override
    public void customize(ChatClient.Builder builder) {
        builder.defaultAdvisors(new Outermost(meter, streams), new Innermost(streams));
    }

    /** Around every other advisor. */
    private record Outermost(CallMeter meter, SpringAiStreams streams) implements CallAdvisor, StreamAdvisor {
        @Override
        public String getName() {
            return "token budget run";
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
            Run opened = meter.openRun(ClientCalls.of(request));
            try {
                return chain.nextCall(request);
            } finally {
                meter.closeRun(opened);
            }
        }

        @Override
        public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
            return streams.ofClient(chain.nextStream(request), ClientCalls.of(request));
        }
    }

    /** Next to the model, on the thread that subscribes to it. */
    private record Innermost(SpringAiStreams streams) implements StreamAdvisor {
        @Override
        public String getName() {
            return "token budget thread";
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE - 1;
        }

        @Override
        public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
            return streams.inRun(chain.nextStream(request));
        }
    }
}
