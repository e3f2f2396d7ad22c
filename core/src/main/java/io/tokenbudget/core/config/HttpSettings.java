package io.tokenbudget.core.config;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * What services that answer over HTTP say, and whom they tell and believe. Read by the starters; the agent answers no requests.
 * Immutable.
 *
 * @param enabled whether requests say who calls, and refusals are answered
 * @param remaining whether other answers say what is left of their callers' own budgets
 * @param sendContextTo globs of the names of hosts that are told who calls
 * @param believeContextFrom where those are who are believed when they say who calls
 */
public record HttpSettings(
        boolean enabled, boolean remaining, List<String> sendContextTo, List<Network> believeContextFrom) {

    /** Refusals are answered; nothing is said or believed beside that. */
    public static final HttpSettings DEFAULT = new HttpSettings(true, false, List.of(), List.of());

    /** Copies the lists. */
    public HttpSettings {
        sendContextTo = List.copyOf(sendContextTo);
        believeContextFrom = List.copyOf(believeContextFrom);
    }

    /** Whether a request to {@code host} says who calls. */
    public boolean sendsContextTo(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return sendContextTo.stream().anyMatch(glob -> Glob.matches(glob, name));
    }

    /** Whether all {@code senders}, and there is one, are where somebody is believed. */
    public boolean believesContextFrom(List<InetAddress> senders) {
        return !senders.isEmpty()
                && senders.stream()
                        .allMatch(sender -> believeContextFrom.stream().anyMatch(network -> network.contains(sender)));
    }
}
