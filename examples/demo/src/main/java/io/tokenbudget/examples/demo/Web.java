package io.tokenbudget.examples.demo;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Reads over HTTP, and waits for servers that are still starting. */
final class Web {
    private static final int LONGEST_START_SECONDS = 60;
    private static final int BETWEEN_TRIES_MILLIS = 100;
    private static final int LONGEST_ANSWER_MILLIS = 30_000;

    private Web() {}

    record Reply(int status, String body) {}

    /** @param tenant sent as {@code X-Tenant-Id} unless empty */
    static Reply get(URI uri, String tenant) throws IOException, InterruptedException {
        long end = System.nanoTime() + LONGEST_START_SECONDS * 1_000_000_000L;
        while (true) {
            try {
                return getOnce(uri, tenant);
            } catch (ConnectException notYet) {
                if (System.nanoTime() > end) {
                    throw notYet;
                }
                Thread.sleep(BETWEEN_TRIES_MILLIS);
            }
        }
    }

    private static Reply getOnce(URI uri, String tenant) throws IOException {
        // Not java.net.http: this process lives for one request, and the old client starts faster.
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setReadTimeout(LONGEST_ANSWER_MILLIS);
        if (!tenant.isEmpty()) {
            connection.setRequestProperty("X-Tenant-Id", tenant);
        }
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            return new Reply(status, text);
        }
    }
}
