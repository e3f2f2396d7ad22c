package io.tokenbudget.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long FORTY_BITS = (1L << 40) - 1;
    private static final long EACH = 0x0101_0101_0101_0101L;

    private static final int LEDGER_CHARACTERS = 4;
    private static final int PREFIX_CHARACTERS = 3 + LEDGER_CHARACTERS;
    private static final int CODE_CHARACTERS = 13;
    private static final long SEQUENCE_MASK = (1L << 31) - 1;

    private final byte[] prefix;

    Ids() {
        StringBuilder text = new StringBuilder("r-");
        for (int i = 0; i < LEDGER_CHARACTERS; i++) {
            text.append((char) DIGITS[ThreadLocalRandom.current().nextInt(DIGITS.length)]);
        }
        this.prefix = text.append('-').toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The id of the {@code sequence}-th reservation, in {@code row}. */
    String id(long sequence, int row) {
        long code = (sequence & SEQUENCE_MASK) << 32 | row;
        byte[] text = new byte[PREFIX_CHARACTERS + CODE_CHARACTERS];
        EIGHT_BYTES.set(text, text.length - 8, eightDigits(code & FORTY_BITS));
        // The last five of these eight: the prefix stands where the other three are.
        EIGHT_BYTES.set(text, text.length - 16, eightDigits(code >>> 40));
        System.arraycopy(prefix, 0, text, 0, PREFIX_CHARACTERS);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** The characters of forty bits, five bits in each, the highest first: all eight are worked out at once. */
    private static long eightDigits(long bits) {
        long twenties = (bits & 0x0F_FFFF) | (bits & 0xFF_FFF0_0000L) << 12;
        long tens = (twenties & 0x0000_03FF_0000_03FFL) | (twenties & 0x000F_FC00_000F_FC00L) << 6;
        long fives = (tens & 0x001F_001F_001F_001FL) | (tens & 0x03E0_03E0_03E0_03E0L) << 3;
        long letters = (fives + EACH * (128 - 10)) >>> 7 & EACH;
        return fives + EACH * '0' + letters * ('a' - '0' - 10);
    }

    /** What an id says, for {@link #row} and {@link #isOf}; {@link #FOREIGN} if it is not of this form. */
    long code(String id) {
        if (id.length() != PREFIX_CHARACTERS + CODE_CHARACTERS) {
            return FOREIGN;
        }
        // Negative as soon as one character is wrong: cheaper than a branch for each.
        int wrong = 0;
        for (int i = 0; i < PREFIX_CHARACTERS; i++) {
            wrong |= -(id.charAt(i) ^ prefix[i]);
        }
        long code = 0;
        for (int i = PREFIX_CHARACTERS; i < PREFIX_CHARACTERS + CODE_CHARACTERS; i++) {
            int c = id.charAt(i);
            int digit = VALUES[c & 0x7F];
            wrong |= digit | (0x7F - c);
            code = code << 5 | digit;
        }
        return wrong < 0 ? FOREIGN : code;
    }

    static int row(long code) {
        return (int) code;
    }

    static boolean isOf(long code, long sequence) {
        return code >>> 32 == (sequence & SEQUENCE_MASK);
    }
}
