package io.tokenbudget.core.config;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Hosts and networks as users write them, several with commas between. */
final class HttpText {
    private static final Pattern HOST = Pattern.compile("(?=.*[A-Za-z0-9])[A-Za-z0-9._*:-]+");

    private HttpText() {}

    /**
     * @throws InvalidValueException if one cannot be the name of a host; a glob without any letter is none
     */
    static List<String> parseHosts(String text) {
        return MapKeys.parts(text).stream().map(HttpText::host).toList();
    }

    private static String host(String text) {
        if (!HOST.matcher(text).matches()) {
            throw InvalidValueException.notAllowed(text, "the names of hosts, such as billing, *.internal");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    /**
     * @throws InvalidValueException if one is neither an address nor a network
     */
    static List<Network> parseNetworks(String text) {
        return MapKeys.parts(text).stream().map(HttpText::network).toList();
    }

    private static Network network(String text) {
        int slash = text.indexOf('/');
        InetAddress address = Network.address(slash < 0 ? text : text.substring(0, slash));
        int all = address == null ? 0 : 8 * address.getAddress().length;
        int bits = slash < 0 ? all : bits(text.substring(slash + 1), all);
        if (address == null || bits < 0) {
            throw InvalidValueException.notAllowed(text, "addresses and networks, such as 127.0.0.1, 10.0.0.0/8, ::1");
        }
        return new Network(address, bits);
    }

    private static int bits(String text, int most) {
        int bits = text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
        return bits <= most ? bits : -1;
    }

    /** {@code a, b}; {@code []} if there are none. */
    static String format(List<?> several) {
        return several.isEmpty()
                ? "[]"
                : String.join(", ", several.stream().map(String::valueOf).toList());
    }
}
