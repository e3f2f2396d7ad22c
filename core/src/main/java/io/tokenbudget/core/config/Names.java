package io.tokenbudget.core.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Guesses which name was meant. */
final class Names {
    private Names() {}

    /** The known name nearest to {@code found}, or null if none is near. Case, dashes and underscores do not count. */
    static @Nullable String nearest(String found, Collection<String> known) {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String name : known) {
            int distance = distance(found, name);
            if (distance < least && distance <= Math.max(1, Math.min(3, name.length() / 3))) {
                least = distance;
                nearest = name;
            }
        }
        return nearest;
    }

    /** How many letters must be put in, taken out, replaced or swapped with their neighbour. */
    static int distance(String a, String b) {
        String from = plain(a);
        String to = plain(b);
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, from, to, i, j);
            }
        }
        return cost[from.length()][to.length()];
    }

    private static int step(int[][] cost, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int least = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }

    static String plain(String name) {
        String cut = name.length() > 100 ? name.substring(0, 100) : name;
        return cut.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }
}
