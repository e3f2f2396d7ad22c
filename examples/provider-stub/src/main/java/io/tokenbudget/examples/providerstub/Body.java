package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The body of an answer.
 *
 * @param type its {@code Content-Type}
 */
@SuppressWarnings("ArrayRecordComponent") // bodies are never compared
record Body(String type, byte[] bytes) {

    static Body json(Object value) {
        return new Body("application/json", Json.write(value).getBytes(UTF_8));
    }

    Body firstHalf() {
        return new Body(type, Arrays.copyOf(bytes, bytes.length / 2));
    }
}
