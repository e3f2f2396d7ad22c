package io.tokenbudget.core.http;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.core.config.IdentityValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the header field {@value #NAME} says to another service of the run that a request is made for. Immutable.
 *
 * <p>Its value is a list of {@code name=value}, separated by commas, with the names {@code reservation}, {@code run}, {@code
 * agent} and {@code tenant}. Values are UTF-8, with everything but letters, digits, {@code -}, {@code .}, {@code _} and
 * {@code ~} percent-encoded (RFC 3986), so that no value can end the field, or say something of another name.
 *
 * <p>Whoever can send a request can write it: it is to be read only from senders that the configuration trusts.
 *
 * @param reservation the id of the reservation of the model call that the request is made for; null if it is for none
 * @param run null if it has no name
 * @param agent null if none is named
 * @param tenant null if none is named
 */
public record ContextHeader(
        @Nullable String reservation,
        @Nullable String run,
        @Nullable String agent,
        @Nullable String tenant) {
    /** The field's name. */
    public static final String NAME = "Token-Budget-Context";

    /** Under which {@code reservation} stands in the diagnostic context of a service while it serves the request. */
    public static final String PARENT = "token-budget.parent";

    /** Four values, each character of which takes up to nine. */
    private static final int LONGEST = 8_192;

    private static final String UNRESERVED = "-._~";
    private static final String HEX = "0123456789ABCDEF";

    /** Values that are out of bounds are replaced as {@link IdentityValue} does; a blank one is none. */
    public ContextHeader {
        reservation = bounded(reservation);
        run = bounded(run);
        agent = bounded(agent);
        tenant = bounded(tenant);
    }

    /** Of a call of {@code context}. */
    public static ContextHeader of(BudgetContext context, @Nullable String reservation) {
        return new ContextHeader(reservation, context.runId(), context.agent(), context.tenant());
    }

    private static @Nullable String bounded(@Nullable String value) {
        return value == null || IdentityValue.isOne(value) ? value : IdentityValue.of(value);
    }

    /** The field's value; empty if it would say nothing, and then the field is not to be sent. */
    public String format() {
        StringBuilder text = new StringBuilder();
        append(text, "reservation", reservation);
        append(text, "run", run);
        append(text, "agent", agent);
        append(text, "tenant", tenant);
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        text.append(text.isEmpty() ? "" : ",").append(name).append('=');
        for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(octet)) {
                text.append((char) octet);
            } else {
                text.append('%').append(HEX.charAt((octet & 0xFF) >> 4)).append(HEX.charAt(octet & 0xF));
            }
        }
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || (c > 0 && UNRESERVED.indexOf(c) >= 0);
    }

    /**
     * Reads a field's value. Names of a later version are passed over.
     *
     * @return null if there is none, or if anything in it is not as {@link #format} writes it: half of it would be a caller
     *     that nobody has named
     */
    public static @Nullable ContextHeader parse(@Nullable String text) {
        if (text == null || text.isBlank() || text.length() > LONGEST) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String value =
                    equals <= 0 ? null : decoded(pair.substring(equals + 1).strip());
            if (value == null || values.put(pair.substring(0, equals).strip(), value) != null) {
                return null;
            }
        }
        return new ContextHeader(
                values.get("reservation"), values.get("run"), values.get("agent"), values.get("tenant"));
    }

    private static @Nullable String decoded(String encoded) {
        ByteBuffer octets = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%' && i + 2 < encoded.length()) {
                int high = HEX.indexOf(encoded.charAt(++i));
                int low = HEX.indexOf(encoded.charAt(++i));
                if (high < 0 || low < 0) {
                    return null;
                }
                octets.put((byte) (high << 4 | low));
            } else if (isUnreserved(c)) {
                octets.put((byte) c);
            } else {
                return null;
            }
        }
        try {
            String value =
                    StandardCharsets.UTF_8.newDecoder().decode(octets.flip()).toString();
            return IdentityValue.isOne(value) ? value : null;
        } catch (CharacterCodingException notText) {
            return null;
        }
    }

    /** Who calls, and for which run, for what the receiving service does. */
    public BudgetContext context() {
        BudgetContext.Builder context = BudgetContext.builder();
        if (run != null) {
            context.runId(run);
        }
        if (agent != null) {
            context.agent(agent);
        }
        if (tenant != null) {
            context.tenant(tenant);
        }
        return context.build();
    }
}
