package io.tokenbudget.micronaut;

import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.tokenbudget.core.http.ContextHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What the service that has asked holds for this request: in the diagnostic context of each thread that Micronaut takes the
 * request's context to. Immutable.
 */
record ParentReservation(String id) implements ThreadPropagatedContextElement<String> {

    @Override
    public @Nullable String updateThreadContext() {
        String before = MDC.get(ContextHeader.PARENT);
        MDC.put(ContextHeader.PARENT, id);
        return before;
    }

    @Override
    public void restoreThreadContext(@Nullable String before) {
        if (before == null) {
            MDC.remove(ContextHeader.PARENT);
        } else {
            MDC.put(ContextHeader.PARENT, before);
        }
    }
}
