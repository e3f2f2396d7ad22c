package io.tokenbudget.langchain4j;

import org.jspecify.annotations.Nullable;

/**
 * Thrown out of a callback to close a stream that has no handle to cancel it by: LangChain4j's own HTTP clients let an
 * {@code Error} through, stop reading and close the connection. What else calls handlers gets none.
 */
final class StreamCut extends Error {
    private static final long serialVersionUID = 1L;
    private static final String HTTP_CLIENT = "dev.langchain4j.http.client.";

    /** @param applications what the application threw when it was told, or null */
    StreamCut(@Nullable Throwable applications) {
        super("the stream was cut by a budget", applications, false, false);
    }

    /** Whether one of those clients is what calls. */
    static boolean closesTheStreamFromHere() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(HTTP_CLIENT)));
    }
}
