package io.tokenbudget.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RefusalAnswer;
import jakarta.inject.Singleton;

/** Answers a refusal that comes out of a controller, with 429. */
@Singleton
@Requires(classes = ExceptionHandler.class)
@Requires(condition = Switch.Http.class)
final class RefusalHandler implements ExceptionHandler<LimitExceededException, HttpResponse<?>> {

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as Micronaut has it
    public HttpResponse<?> handle(HttpRequest request, LimitExceededException refusal) {
        return response(RefusalAnswer.of(refusal, asker(request)));
    }

    /** Who sent {@code request}. */
    static Asker asker(HttpRequest<?> request) {
        return Asker.in(request.getAttribute(Asker.ATTRIBUTE).orElse(null));
    }

    static MutableHttpResponse<?> response(RefusalAnswer answer) {
        MutableHttpResponse<String> response =
                HttpResponse.<String>status(HttpStatus.valueOf(answer.status())).body(answer.body());
        answer.headers().forEach(response::header);
        return response.contentType(answer.contentType());
    }
}
