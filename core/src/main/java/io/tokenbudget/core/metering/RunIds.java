package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Names runs that nobody has named: {@code 5k2p9d4q-17}, unlike those of any other process. Thread-safe: one atomic. */
final class RunIds {
    private static final int RADIX = 36;
    private static final int DIGEST_BYTES = 8;

    private final String process = Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, RADIX) + '-';
    private final AtomicLong last = new AtomicLong();

    String next() {
        return process + last.incrementAndGet();
    }

    /**
     * Names a run that only the key of its call names: {@code key@0f1e2d3c4b5a6978}. Callers that differ, and what differs in
     * {@code of}, do not meet in one key.
     */
    static String ofKey(String key, BudgetContext caller, @Nullable String of) {
        Map<String, String> dimensions = new TreeMap<>(caller.dimensions());
        dimensions.remove("run");
        StringBuilder text = new StringBuilder(String.valueOf(of));
        dimensions.forEach((name, value) -> text.append('\n')
                .append(name.length())
                .append(':')
                .append(name)
                .append(value.length())
                .append(':')
                .append(value));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_16BE));
            return key + '@' + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** Names a part of the run {@code outer}: {@code 5k2p9d4q-17.18}. */
    String inside(@Nullable String outer) {
        return outer == null ? next() : outer + '.' + last.incrementAndGet();
    }
}
