package io.tokenbudget.core.http;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.config.HttpSettings;
import io.tokenbudget.core.config.Network;
import io.tokenbudget.core.metering.CallMeter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What requests say in {@link ContextHeader} of the run that they are made for, from senders that {@code
 * http.believe-context-from} names alone. Thread-safe; no method throws.
 *
 * <p>Everybody on a request's way has to be believed: who has connected, and each address that {@code X-Forwarded-For} and {@code
 * Forwarded} name. Otherwise a gateway that is believed would speak for all its clients.
 */
public final class IncomingContext {
    private static final Pattern FOR = Pattern.compile("(?i)(?:^|[;,])\\s*for\\s*=\\s*(\"[^\"]*\"|[^;,\\s]*)");
    private static final Pattern WITH_PORT = Pattern.compile("\\[(.*)](:\\d+)?|([\\d.]+)(:\\d+)?");

    private final CallMeter meter;
    private final Notices.Once notices;
    private final boolean addressesAreLost;
    private final LongAdder ignored = new LongAdder();

    /**
     * @param meter knows what is configured
     * @param notices where it is said once that somebody is not believed
     */
    public IncomingContext(CallMeter meter, Notices notices) {
        this(meter, notices, false);
    }

    /** @param addressesAreLost whether the server replaces the addresses of who has connected: then nobody is believed */
    public IncomingContext(CallMeter meter, Notices notices, boolean addressesAreLost) {
        this.meter = meter;
        this.notices = notices.once();
        this.addressesAreLost = addressesAreLost;
    }

    /**
     * Of one request as it reached this process, whatever has been done with it since. Immutable.
     *
     * @param peer the address of who has connected, in digits; null if it is not known
     * @param context the values of {@link ContextHeader#NAME}
     * @param forwardedFor the values of {@code X-Forwarded-For}
     * @param forwarded the values of {@code Forwarded}
     */
    public record Received(
            @Nullable String peer, List<String> context, List<String> forwardedFor, List<String> forwarded) {}

    /** What {@code request} says; null if it says nothing that can be read, or its sender is not believed. */
    public @Nullable ContextHeader read(Received request) {
        if (request.context().isEmpty()) {
            return null;
        }
        if (addressesAreLost || request.peer() == null) {
            ignore("a proxy", "the server does not tell who has connected (server.forward-headers-strategy: native)");
            return null;
        }
        HttpSettings http = meter.settings().http();
        if (!http.believesContextFrom(senders(request))) {
            ignore(String.valueOf(request.peer()), "http.believe-context-from does not name all who have sent it");
            return null;
        }
        ContextHeader said = request.context().size() == 1
                ? ContextHeader.parse(request.context().get(0))
                : null;
        if (said == null) {
            ignore(String.valueOf(request.peer()), "it cannot be read");
        }
        return said;
    }

    /** How many requests said something that does not count. */
    public long ignored() {
        return ignored.sum();
    }

    private void ignore(String sender, String why) {
        ignored.increment();
        notices.warn(why, ContextHeader.NAME + " of a request from " + sender + " is ignored: " + why);
    }

    /** Empty if one of them is not an address. */
    private static List<InetAddress> senders(Received request) {
        List<String> written = new ArrayList<>();
        written.add(String.valueOf(request.peer()));
        for (String several : request.forwardedFor()) {
            written.addAll(List.of(several.split(",", -1)));
        }
        for (String several : request.forwarded()) {
            for (String hop : several.split(",", -1)) {
                Matcher named = FOR.matcher(hop);
                written.add(named.find() ? named.group(1).replace("\"", "") : "");
            }
        }
        List<InetAddress> senders = new ArrayList<>();
        for (String sender : written) {
            InetAddress address = address(sender.strip());
            if (address == null) {
                return List.of();
            }
            senders.add(address);
        }
        return senders;
    }

    private static @Nullable InetAddress address(String written) {
        Matcher withPort = WITH_PORT.matcher(written);
        if (!withPort.matches()) {
            // An IPv6 address without a port; the zone of a local one plays no part.
            return Network.address(written.split("%", 2)[0]);
        }
        String inBrackets = withPort.group(1);
        return Network.address(
                inBrackets == null ? withPort.group(3) : inBrackets.split("%", 2)[0]);
    }
}
