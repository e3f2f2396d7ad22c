package io.tokenbudget.core.config;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what identity sources say, because some of it is written by clients: it becomes the name of a budget, which is kept,
 * logged and shown.
 *
 * <p>A value of at most {@link #LONGEST} characters that can all be shown stays as it is. Any other is replaced by its digest,
 * {@code sha256.<64 hex digits>}: cutting it would let two callers share a budget, and taking it for none would charge
 * whatever comes next in the list of sources. A value that looks like such a digest is replaced too, so that nobody can name
 * the budget of somebody else by it. Slashes, colons and stars stay: {@link io.tokenbudget.core.spi.Scope} writes slashes so
 * that they join nothing, and only the configuration's own values are patterns.
 */
public final class IdentityValue {
    /** In UTF-16 units. */
    public static final int LONGEST = 200;

    private static final String DIGEST = "sha256.";

    private IdentityValue() {}

    /** {@code raw} itself if it is within bounds, its digest if it is not, null if it is null or blank. */
    public static @Nullable String of(@Nullable String raw) {
        if (raw == null || raw.isBlank()) {
            return null;
        }
        return raw.length() <= LONGEST && !raw.startsWith(DIGEST) && canAllBeShown(raw) ? raw : digest(raw);
    }

    /** Whether {@code value} is one that {@link #of} may have returned: within bounds, or a digest. */
    public static boolean isOne(String value) {
        return !value.isBlank() && value.length() <= LONGEST && canAllBeShown(value);
    }

    private static boolean canAllBeShown(String raw) {
        int length = raw.length();
        for (int i = 0; i < length; i++) {
            char c = raw.charAt(i);
            if (c < ' ' || c == 127) {
                return false;
            }
            if (c > 127) {
                return canAllBeShown(raw, i);
            }
        }
        return true;
    }

    private static boolean canAllBeShown(String raw, int from) {
        return raw.codePoints().skip(raw.codePointCount(0, from)).allMatch(c -> switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        });
    }

    /** Of its UTF-16 units: charsets write halves of surrogate pairs as one and the same. */
    private static String digest(String raw) {
        try {
            ByteBuffer units = ByteBuffer.allocate(2 * raw.length());
            units.asCharBuffer().put(raw);
            return DIGEST
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(units.array()));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
