package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whole amounts as users write them: {@code 250}, {@code 1_000}, {@code 100k}, {@code 1.5M}, {@code 2B}. */
final class AmountText {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:_\\d+)*(?:\\.\\d+)?)([kKMB]?)");

    private AmountText() {}

    /**
     * @return zero up to {@link Limit#MAX_AMOUNT}
     * @throws InvalidValueException if it is no amount, no whole one, or too large
     */
    static long parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || text.length() > 100) {
            throw InvalidValueException.notAllowed(text, "an amount such as 250, 1_000, 100k, 1.5M or 2B");
        }
        BigDecimal amount = new BigDecimal(form.group(1).replace("_", ""))
                .scaleByPowerOfTen(powerOfTen(form.group(2)))
                .stripTrailingZeros();
        if (amount.scale() > 0) {
            throw InvalidValueException.notAllowed(text, "a whole number; this is " + amount.toPlainString());
        }
        if (amount.compareTo(BigDecimal.valueOf(Limit.MAX_AMOUNT)) > 0) {
            throw InvalidValueException.notAllowed(text, "at most " + Limit.MAX_AMOUNT);
        }
        return amount.longValueExact();
    }

    private static int powerOfTen(String suffix) {
        return switch (suffix) {
            case "k", "K" -> 3;
            case "M" -> 6;
            case "B" -> 9;
            default -> 0;
        };
    }
}
