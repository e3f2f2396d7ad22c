package io.tokenbudget.launches;

/** What of the agent a class loader can see. */
final class Sees {
    private static final String[] OURS = {
        "io.tokenbudget.TokenLimiter",
        "io.tokenbudget.core.TokenLimiters",
        "io.tokenbudget.agent.Agent",
        "net.bytebuddy.ByteBuddy",
        "picocli.CommandLine"
    };

    private Sees() {}

    static String of(ClassLoader loader) {
        StringBuilder seen = new StringBuilder();
        for (String name : OURS) {
            if (finds(loader, name)) {
                seen.append(' ').append(name);
            }
        }
        return seen.isEmpty() ? " nothing" : seen.toString();
    }

    private static boolean finds(ClassLoader loader, String name) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException hidden) {
            return false;
        }
    }
}
