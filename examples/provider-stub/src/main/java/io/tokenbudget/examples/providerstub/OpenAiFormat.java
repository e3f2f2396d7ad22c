package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.Map;

/** What all of OpenAI's interfaces have in common. */
abstract class OpenAiFormat implements WireFormat {
    static final long CREATED = 1_767_225_600;

    private final String name;

    OpenAiFormat(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Map<String, Object> error(int status, String message) {
        String type = switch (status) {
            case 401, 403 -> "authentication_error";
            case 429 -> "rate_limit_error";
            default -> status >= 500 ? "server_error" : "invalid_request_error";
        };
        return map("error", map("message", message, "type", type, "param", null, "code", null));
    }

    /**
     * A member of the request that must be there and be a text.
     *
     * @throws IllegalArgumentException if it is not
     */
    static String required(Map<String, ?> body, String name) {
        if (body.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("you must provide a " + name + " parameter");
    }
}
