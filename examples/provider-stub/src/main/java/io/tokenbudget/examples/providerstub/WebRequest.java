package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request.
 *
 * @param path decoded, without the query
 * @param headers by lower-case name
 */
@SuppressWarnings("ArrayRecordComponent") // requests are never compared
record WebRequest(String method, String path, Map<String, String> query, Map<String, String> headers, byte[] body) {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1);

    /** The next request of a connection, or null if the client has closed it. */
    static @Nullable WebRequest read(InputStream in, OutputStream out) throws IOException {
        String first = line(in);
        while (first != null && first.isEmpty()) {
            first = line(in);
        }
        if (first == null) {
            return null;
        }
        String[] words = first.split(" ", -1);
        if (words.length != 3) {
            throw new ProtocolException("no request line: " + first);
        }
        Map<String, String> headers = headers(in);
        if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
            out.write(CONTINUE);
            out.flush();
        }
        String[] target = words[1].split("\\?", 2);
        return new WebRequest(
                words[0],
                decode(target[0].replace("+", "%2B")),
                query(target.length > 1 ? target[1] : ""),
                headers,
                body(in, headers));
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).trim());
            }
        }
        return headers;
    }

    private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return chunks(in);
        }
        return exactly(in, Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line(in);
            if (size == null) {
                throw new EOFException("within a chunked body");
            }
            int length = Integer.parseInt(size.split(";", 2)[0].trim(), 16);
            if (length == 0) {
                headers(in);
                return body.toByteArray();
            }
            body.write(exactly(in, length));
            line(in);
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("after " + bytes.length + " of " + length + " bytes of a body");
        }
        return bytes;
    }

    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return null;
            }
            line.write(next);
        }
        String text = line.toString(ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    /** Whether the connection may serve another request after this one. */
    boolean keepsConnection() {
        return !"close".equalsIgnoreCase(headers.get("connection"));
    }

    /** A header, empty if there is none. */
    String header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, "");
    }

    /** The token of {@code Authorization: Bearer}, or an empty text. */
    String bearer() {
        String header = header("authorization");
        return header.startsWith("Bearer ")
                ? header.substring("Bearer ".length()).trim()
                : "";
    }

    /** @throws IllegalArgumentException with a sentence for the client, if the body is no JSON object */
    Map<String, Object> json() {
        try {
            return Json.readObject(body);
        } catch (IOException notJson) {
            throw new IllegalArgumentException("the body is no JSON object", notJson);
        }
    }
}
