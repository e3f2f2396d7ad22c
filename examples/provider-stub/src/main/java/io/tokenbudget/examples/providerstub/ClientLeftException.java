package io.tokenbudget.examples.providerstub;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The client has closed the connection before its answer was complete. */
final class ClientLeftException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientLeftException(@Nullable Throwable cause) {
        super("the client has left", cause);
    }
}
