package io.tokenbudget.spring.boot;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request whose end, time-out or failure on threads of the container works for its caller too: {@code onTimeout} of a {@code
 * DeferredResult} is called there. As thread-safe as the request.
 */
final class FollowedRequest extends HttpServletRequestWrapper {

    FollowedRequest(HttpServletRequest request) {
        super(request);
    }

    /** {@code request}, once followed. */
    static HttpServletRequest of(HttpServletRequest request) {
        ServletRequest inside = request;
        while (inside instanceof HttpServletRequestWrapper wrapper) {
            if (inside instanceof FollowedRequest) {
                return request;
            }
            inside = wrapper.getRequest();
        }
        return new FollowedRequest(request);
    }

    @Override
    public AsyncContext startAsync() {
        return followed(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return followed(super.startAsync(request, response));
    }

    /** Null only where a stand-in for a server has none: a server throws. */
    @Override
    public @Nullable AsyncContext getAsyncContext() {
        AsyncContext started = super.getAsyncContext();
        return started == null ? null : followed(started);
    }

    private AsyncContext followed(AsyncContext started) {
        ServedFor kept = ServedFor.of(this);
        return new Started(started, kept == null ? ServedFor.NOBODY : kept);
    }

    private record Started(AsyncContext started, ServedFor caller) implements AsyncContext {
        @Override
        public ServletRequest getRequest() {
            return started.getRequest();
        }

        @Override
        public ServletResponse getResponse() {
            return started.getResponse();
        }

        @Override
        public boolean hasOriginalRequestAndResponse() {
            return started.hasOriginalRequestAndResponse();
        }

        @Override
        public void dispatch() {
            started.dispatch();
        }

        @Override
        public void dispatch(String path) {
            started.dispatch(path);
        }

        @Override
        public void dispatch(ServletContext context, String path) {
            started.dispatch(context, path);
        }

        @Override
        public void complete() {
            started.complete();
        }

        @Override
        public void start(Runnable run) {
            started.start(() -> {
                ServedFor.Open open = caller.open();
                try {
                    run.run();
                } finally {
                    open.close();
                }
            });
        }

        @Override
        public void addListener(AsyncListener listener) {
            started.addListener(new Listener(listener, caller));
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
            started.addListener(new Listener(listener, caller), request, response);
        }

        @Override
        public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
            return started.createListener(type);
        }

        @Override
        public void setTimeout(long timeout) {
            started.setTimeout(timeout);
        }

        @Override
        public long getTimeout() {
            return started.getTimeout();
        }
    }

    private record Listener(AsyncListener listener, ServedFor caller) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            ServedFor.Open open = caller.open();
            try {
                listener.onComplete(event);
            } finally {
                open.close();
            }
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            ServedFor.Open open = caller.open();
            try {
                listener.onTimeout(event);
            } finally {
                open.close();
            }
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            ServedFor.Open open = caller.open();
            try {
                listener.onError(event);
            } finally {
                open.close();
            }
        }

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            listener.onStartAsync(event);
        }
    }
}
