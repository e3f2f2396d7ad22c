package io.tokenbudget.core.memory;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The ids that a ledger makes: they say which row a reservation is in and which use of that row it is, so that finding
 * it needs no map and making one needs no lock. Immutable.
 *
 * <pre>
 *   r-k3fq-000000100001f        r-, four random characters of the ledger, then 65 bits in base 32:
 *                               sequence (its low 31 bits) and row (32 bits)
 * </pre>
 */
final class Ids {
    /** What {@link #code} answers for an id that this ledger did not make. */
    static final long FOREIGN = -1;

    private static final byte[] DIGITS = "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);
    /** The value of each digit, -1 for every other character. */
    private static final byte[] VALUES = new byte[128];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (byte value = 0; value < DIGITS.length; value++) {
            VALUES[DIGITS[value]] = value;
        }
    }

    private static final int LEDGER_CHARACTERS = 4;
    private static final int CODE_CHARACTERS = 13;
    private static final long SEQUENCE_MASK = (1L << 31) - 1;

    private final byte[] prefix;
    private final String prefixText;

    Ids() {
        StringBuilder text = new StringBuilder("r-");
        for (int i = 0; i < LEDGER_CHARACTERS; i++) {
            text.append((char) DIGITS[ThreadLocalRandom.current().nextInt(DIGITS.length)]);
        }
        this.prefixText = text.append('-').toString();
        this.prefix = prefixText.getBytes(StandardCharsets.US_ASCII);
    }

    /** The id of the {@code sequence}-th reservation, in {@code row}. */
    String id(long sequence, int row) {
        byte[] text = new byte[prefix.length + CODE_CHARACTERS];
        System.arraycopy(prefix, 0, text, 0, prefix.length);
        long code = (sequence & SEQUENCE_MASK) << 32 | row;
        for (int i = text.length - 1; i >= prefix.length; i--) {
            text[i] = DIGITS[(int) (code & 31)];
            code >>>= 5;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** What an id says, for {@link #row} and {@link #isOf}; {@link #FOREIGN} if it is not of this form. */
    long code(String id) {
        if (id.length() != prefix.length + CODE_CHARACTERS || !id.startsWith(prefixText)) {
            return FOREIGN;
        }
        long code = 0;
        for (int i = prefix.length; i < id.length(); i++) {
            int c = id.charAt(i);
            int digit = c < VALUES.length ? VALUES[c] : -1;
            if (digit < 0) {
                return FOREIGN;
            }
            code = code << 5 | digit;
        }
        return code;
    }

    static int row(long code) {
        return (int) code;
    }

    static boolean isOf(long code, long sequence) {
        return code >>> 32 == (sequence & SEQUENCE_MASK);
    }
}
