package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.Asker;
import io.tokenbudget.core.metering.CallMeter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Takes down who asks, immediately before a controller of Spring MVC works for the request: by then the application's filters
 * have said it, and nothing yet speaks of whom the controller calls for. Thread-safe.
 */
final class Askers implements HandlerInterceptor {
    private final CallMeter meter;

    Askers(CallMeter meter) {
        this.meter = meter;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        // Later dispatches of the same request are on threads of others.
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            takeDown(meter, request);
        }
        return true;
    }

    /** Notes who is known on this thread to ask, and for whom it works. */
    static void takeDown(CallMeter meter, HttpServletRequest request) {
        request.setAttribute(Asker.ATTRIBUTE, Asker.of(meter.asker()));
        ServedFor.here().keepWith(request);
    }
}
