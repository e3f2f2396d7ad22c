package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One request and its answer. Every wait and every write ends with a {@link ClientLeftException} as soon as the client
 * has closed the connection.
 *
 * <p>Owned by the thread of its handler; {@link #clientLeft()} is called from the connection's.
 */
final class WebExchange {
    private static final byte[] LINE_END = "\r\n".getBytes(ISO_8859_1);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(ISO_8859_1);

    private final WebRequest request;
    private final OutputStream out;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    WebExchange(WebRequest request, OutputStream out) {
        this.request = request;
        this.out = out;
    }

    WebRequest request() {
        return request;
    }

    void header(String name, String value) {
        headers.put(name, value);
    }

    void send(int status, Body body) throws IOException {
        ByteArrayOutputStream bytes = head(status, body.type(), "Content-Length: " + body.bytes().length);
        bytes.write(body.bytes());
        write(bytes);
    }

    /** Sends the first half of an answer that is announced as a whole. */
    void sendHalf(int status, Body body) throws IOException {
        ByteArrayOutputStream bytes = head(status, body.type(), "Content-Length: " + body.bytes().length);
        bytes.write(body.bytes(), 0, body.bytes().length / 2);
        write(bytes);
    }

    /** Begins an answer of unknown length: any number of {@link #write(String)}, then {@link #end()}. */
    void begin(int status, String contentType) throws IOException {
        write(head(status, contentType, "Transfer-Encoding: chunked"));
    }

    void write(String text) throws IOException {
        byte[] chunk = text.getBytes(UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(Integer.toHexString(chunk.length).getBytes(ISO_8859_1));
        bytes.write(LINE_END);
        bytes.write(chunk);
        bytes.write(LINE_END);
        write(bytes);
    }

    void end() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(LAST_CHUNK);
        write(bytes);
    }

    private ByteArrayOutputStream head(int status, String contentType, String length) throws IOException {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 ").append(status).append(status == 200 ? " OK\r\n" : " Error\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Type: ").append(contentType).append("\r\n");
        head.append(length).append("\r\n\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(head.toString().getBytes(ISO_8859_1));
        return bytes;
    }

    private void write(ByteArrayOutputStream bytes) throws IOException {
        checkClient();
        try {
            bytes.writeTo(out);
            out.flush();
        } catch (IOException failed) {
            throw new ClientLeftException(failed);
        }
    }

    /** Waits. */
    void pause(Duration time) throws ClientLeftException, InterruptedException {
        checkClient();
        if (time.isZero()) {
            return;
        }
        try {
            left.get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException stillThere) {
            return;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        throw new ClientLeftException(null);
    }

    /** Waits for {@code event}. */
    void await(CompletableFuture<Void> event) throws ClientLeftException, InterruptedException {
        try {
            CompletableFuture.anyOf(left, event).get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        checkClient();
    }

    private void checkClient() throws ClientLeftException {
        if (left.isDone()) {
            throw new ClientLeftException(null);
        }
    }

    /** The connection has seen its end. */
    void clientLeft() {
        left.complete(null);
    }
}
