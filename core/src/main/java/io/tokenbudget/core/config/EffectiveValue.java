package io.tokenbudget.core.config;

import java.util.regex.Pattern;

/**
 * One setting that is in force, and where it comes from.
 *
 * @param key the path, such as {@code status.port} or {@code budgets[0]}
 * @param value as a user would write it; {@code ***} where it looks like a secret
 * @param source {@code budgets.yaml:3}, {@code system property token-budget.hold}, {@code environment variable
 *     TOKEN_BUDGET_HOLD} or {@code default}
 */
public record EffectiveValue(String key, String value, String source) {
    private static final Pattern SECRET_KEY =
            Pattern.compile("password|secret|token-?value|(^|[.\\-_])key($|[.\\-_])", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s]*@");

    /** Masks what looks like a secret: by the key, or as the user information of an address. */
    public EffectiveValue {
        value = SECRET_KEY.matcher(key).find()
                ? "***"
                : USER_INFO.matcher(value).replaceAll("://***@");
    }

    /** {@code hold = 5m (default)}. */
    @Override
    public String toString() {
        return key + " = " + value + " (" + source + ")";
    }
}
