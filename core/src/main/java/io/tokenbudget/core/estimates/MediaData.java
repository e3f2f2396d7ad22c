package io.tokenbudget.core.estimates;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of a medium, read where they are: nothing is decoded or copied but the byte that is asked for. Thread-safe as far
 * as nobody changes the array.
 */
public abstract class MediaData {
    private MediaData() {}

    /** Of bytes as they are. */
    public static MediaData of(byte[] bytes) {
        return new MediaData() {
            @Override
            long length() {
                return bytes.length;
            }

            @Override
            int at(long index) {
                return index >= 0 && index < bytes.length ? bytes[(int) index] & 0xFF : -1;
            }
        };
    }

    /** Of bytes in Base64, without line breaks. */
    public static MediaData ofBase64(String base64) {
        return inBase64(base64, 0);
    }

    /** Of a {@code data:} URL; null for an address, an empty or a missing one: nothing is fetched. */
    public static @Nullable MediaData ofUrl(@Nullable String url) {
        int comma = url == null || !url.startsWith("data:") ? -1 : url.indexOf(',');
        return url != null && comma > 0 && url.lastIndexOf(";base64", comma) > 0 ? inBase64(url, comma + 1) : null;
    }

    private static MediaData inBase64(String base64, int begin) {
        return new MediaData() {
            @Override
            long length() {
                return (base64.length() - begin) * 3L / 4;
            }

            @Override
            int at(long index) {
                long group = begin + index / 3 * 4;
                if (index < 0 || group + 4 > base64.length()) {
                    return -1;
                }
                int within = (int) (index % 3);
                int first = digit(base64.charAt((int) group + within));
                int second = digit(base64.charAt((int) group + within + 1));
                return first < 0 || second < 0 ? -1 : (first << (2 + 2 * within) | second >> (4 - 2 * within)) & 0xFF;
            }
        };
    }

    private static int digit(char c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        if (c >= '0' && c <= '9') {
            return c - '0' + 52;
        }
        return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
    }

    abstract long length();

    /** The byte at {@code index}, 0 to 255; -1 beyond the end and where nothing can be read. */
    abstract int at(long index);

    /** An unsigned number of {@code bytes} bytes, or -1 if they are not all there. */
    long number(long index, int bytes, boolean littleEndian) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            int next = at(littleEndian ? index + bytes - 1 - i : index + i);
            if (next < 0) {
                return -1;
            }
            number = number << 8 | next;
        }
        return number;
    }

    boolean has(long index, String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            if (at(index + i) != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
