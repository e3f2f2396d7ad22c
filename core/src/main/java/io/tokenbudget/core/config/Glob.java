package io.tokenbudget.core.config;

/** Patterns in which {@code *} stands for any text, also none. Everything else stands for itself. */
public final class Glob {
    private Glob() {}

    /** Whether {@code text} contains a {@code *}. */
    public static boolean isGlob(String text) {
        return text.indexOf('*') >= 0;
    }

    /** Whether the whole of {@code text} matches. Linear in the text for each star, no backtracking blow-up. */
    public static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
