package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RefusalAnswer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A response of WebFlux in which a stream of events that a budget cuts ends with an event that says so. As thread-safe as the
 * response.
 */
final class EventStreamResponse extends ServerHttpResponseDecorator {
    private final Asker asker;
    private volatile boolean streams;

    /** @param asker whom the events are for */
    EventStreamResponse(ServerHttpResponse response, Asker asker) {
        super(response);
        this.asker = asker;
    }

    /** Whether its body is sent piece by piece. */
    boolean streams() {
        return streams;
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        streams = true;
        MediaType type = getHeaders().getContentType();
        if (type == null || !type.isCompatibleWith(MediaType.TEXT_EVENT_STREAM)) {
            return super.writeAndFlushWith(body);
        }
        AtomicBoolean begun = new AtomicBoolean();
        Flux<Publisher<? extends DataBuffer>> events =
                Flux.<Publisher<? extends DataBuffer>>from(body).doOnNext(event -> begun.set(true));
        return super.writeAndFlushWith(events.onErrorResume(thrown -> {
            // Before the first event there is a better answer than an event.
            RefusalAnswer answer = begun.get() ? RefusalAnswer.among(thrown, asker) : null;
            return answer == null
                    ? Mono.error(thrown)
                    : Mono.just(Mono.just(bufferFactory().wrap(RefusalEvents.event(answer))));
        }));
    }
}
