package io.tokenbudget.examples.providerstub;

import java.util.Map;

/** How one provider's API writes requests and answers down. Thread-safe. */
interface WireFormat {

    /** Its name in the ledger. */
    String name();

    /**
     * Reads a request.
     *
     * @throws IllegalArgumentException with a sentence for the client, if it is not a request of this API
     */
    ModelRequest read(WebRequest request);

    /** The body of a complete answer. */
    Body answer(ModelRequest request, Answer answer);

    /** The body of an HTTP error. */
    Map<String, Object> error(int status, String message);
}
