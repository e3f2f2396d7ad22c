package io.tokenbudget.micronaut;

import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.sse.Event;
import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RefusalAnswer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** What a refusal is in a stream of server-sent events: its last event. Stateless. */
final class EventStreams {
    private EventStreams() {}

    /** Whether the body of {@code response} is sent piece by piece. */
    static boolean isStream(MutableHttpResponse<?> response) {
        return response.body() instanceof Publisher;
    }

    /** Lets a stream of events that a budget cuts end with {@code event: error} and the problem document as its data. */
    static void tellOfRefusals(MutableHttpResponse<?> response, Asker asker) {
        boolean events = response.getContentType()
                .filter(MediaType.TEXT_EVENT_STREAM_TYPE::matches)
                .isPresent();
        if (events && response.body() instanceof Publisher<?> body) {
            response.body(ending(body, asker));
        }
    }

    private static Flux<Object> ending(Publisher<?> body, Asker asker) {
        return Flux.<Object>from(body).onErrorResume(thrown -> {
            // Also as the first one: of a body that fails Micronaut makes an error of the server, whatever the reason.
            RefusalAnswer answer = RefusalAnswer.among(thrown, asker);
            return answer == null
                    ? Flux.error(thrown)
                    : Flux.just(Event.of(answer.body()).name("error"));
        });
    }
}
