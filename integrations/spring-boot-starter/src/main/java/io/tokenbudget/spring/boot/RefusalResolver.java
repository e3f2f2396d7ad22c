package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.http.RefusalAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a refusal that leaves a controller of Spring MVC, as itself or behind other exceptions. Before the application's
 * handlers of exceptions, because one for everything would make an error of the server of it; but one that names refusals is asked.
 * Thread-safe.
 */
final class RefusalResolver implements HandlerExceptionResolver, Ordered {
    private final Supplier<Boolean> answeredByAdvice;

    /** @param context whose advices may answer refusals themselves */
    RefusalResolver(ApplicationContext context) {
        this.answeredByAdvice = SingletonSupplier.of(() -> OwnHandlers.inAdvices(context));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RefusalAnswer answer = OwnHandlers.has(handler) || answeredByAdvice.get()
                ? null
                : RefusalAnswer.among(thrown, Asker.in(request.getAttribute(Asker.ATTRIBUTE)));
        if (answer == null) {
            return null;
        }
        try {
            if (!response.isCommitted()) {
                ServletAnswers.write(answer, response);
            } else if (ServletAnswers.isEventStream(response.getContentType())) {
                ServletAnswers.writeEvent(answer, response);
            } else {
                return null;
            }
        } catch (IOException gone) {
            throw new UncheckedIOException("the client of a refused request is gone", gone);
        }
        return new ModelAndView();
    }
}
