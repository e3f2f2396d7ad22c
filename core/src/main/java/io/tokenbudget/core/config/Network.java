package io.tokenbudget.core.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that begin with the same bits: {@code 10.0.0.0/8}, or one alone: {@code ::1}. Immutable.
 *
 * @param address with all its bits
 * @param bits how many of them count
 */
public record Network(InetAddress address, int bits) {
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3}\\.){3}\\d{1,3}");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:)[0-9A-Fa-f:.]+");

    /** Whether {@code other} is one of them. An IPv4 address that is written as one of IPv6 is one of IPv4. */
    public boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] its = other.getAddress();
        if (mine.length != its.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((mine[bit / 8] & mask) != (its[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    /** The address that {@code text} writes in digits; null if it is none. Names are not looked up. */
    public static @Nullable InetAddress address(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException notAnAddress) {
            return null;
        }
    }

    /** As users write it. */
    @Override
    public String toString() {
        boolean one = bits == 8 * address.getAddress().length;
        return one ? address.getHostAddress() : address.getHostAddress() + '/' + bits;
    }
}
