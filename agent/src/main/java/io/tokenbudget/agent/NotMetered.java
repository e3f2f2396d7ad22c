package io.tokenbudget.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** How it is said that some calls of a framework's version pass without a reservation. */
final class NotMetered {
    private NotMetered() {}

    /**
     * @param kinds of calls, all of one framework
     * @param application has the framework
     * @param reason what goes on after a colon
     */
    static String line(Set<String> kinds, ClassLoader application, String reason) {
        Framework framework = Framework.of(kinds.iterator().next());
        if (framework == null) {
            return "runs and tool loops are not told apart: " + reason;
        }
        String version = framework.seenBy(application);
        String affected = kinds.containsAll(kindsOf(framework))
                ? version + " is not metered, its calls pass"
                : listed(kinds, framework) + " of " + version + " are not metered, they pass";
        return affected + " and are counted: " + reason + " (tested with " + framework.tested() + ")";
    }

    private static Set<String> kindsOf(Framework framework) {
        Set<String> kinds = new TreeSet<>();
        for (Hook hook : Hooks.ALL) {
            if (hook.isMetered() && Framework.of(hook.kind()) == framework) {
                kinds.add(hook.kind());
            }
        }
        return kinds;
    }

    private static String listed(Set<String> kinds, Framework framework) {
        List<String> names = new ArrayList<>();
        for (String kind : kinds) {
            names.add(framework.without(kind));
        }
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }
}
