package io.tokenbudget.examples.providerstub;

import static io.tokenbudget.examples.providerstub.Json.map;

import java.util.Map;

/** What all of OpenAI's interfaces have in common. */
final class OpenAi {
    static final long CREATED = 1_767_225_600;

    private OpenAi() {}

    static Map<String, Object> error(int status, String message) {
        String type = switch (status) {
            case 401, 403 -> "authentication_error";
            case 429 -> "rate_limit_error";
            default -> status >= 500 ? "server_error" : "invalid_request_error";
        };
        return map("error", map("message", message, "type", type, "param", null, "code", null));
    }

    /** @throws IllegalArgumentException if there is none */
    static String model(Map<String, Object> body) {
        if (body.get("model") instanceof String model) {
            return model;
        }
        throw new IllegalArgumentException("you must provide a model parameter");
    }
}
