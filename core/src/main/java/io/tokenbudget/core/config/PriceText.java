package io.tokenbudget.core.config;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.Money;
import io.tokenbudget.core.spi.Price;
import io.tokenbudget.core.spi.Price.Rates;
import io.tokenbudget.core.spi.Price.Step;
import java.math.BigDecimal;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** USD as users write them: {@code 40}, {@code $0.0375}, {@code 1_000.50}, with up to nine digits behind the point. */
final class PriceText {
    private static final Pattern FORM = Pattern.compile("\\$?\\d+(?:_\\d+)*(?:\\.\\d{1,9}0*)?");

    private PriceText() {}

    /**
     * @param most nano-USD
     * @return nano-USD
     * @throws InvalidValueException if it is no amount of USD, or too large
     */
    static long parse(String text, long most) {
        if (!FORM.matcher(text).matches() || text.length() > 100) {
            throw InvalidValueException.notAllowed(
                    text, "an amount of USD such as 2.50 or $40, with at most 9 digits behind the point");
        }
        BigDecimal nano = new BigDecimal(text.replace("_", "").replace("$", "")).scaleByPowerOfTen(9);
        if (nano.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw InvalidValueException.notAllowed(text, "at most " + Money.text(most));
        }
        return nano.longValueExact();
    }

    /**
     * The amount of a limit.
     *
     * @return nano-USD
     * @throws InvalidValueException if it is none
     */
    static long parseLimit(String text) {
        return parse(text, Limit.MAX_AMOUNT);
    }

    /** {@code input 2.5, cached-input 1.25, output 10}: what differs from the default alone. */
    static String format(Price price) {
        StringJoiner text = new StringJoiner(", ");
        if (!price.rates().equals(Rates.FREE) || price.request() + price.image() == 0) {
            format(price.rates(), text);
        }
        for (Step step : price.steps()) {
            StringJoiner rates = new StringJoiner(", ", "above " + step.above() + " input tokens: (", ")");
            format(step.rates(), rates);
            text.add(rates.toString());
        }
        if (price.request() > 0) {
            text.add("request " + Money.decimal(price.request()));
        }
        if (price.image() > 0) {
            text.add("image " + Money.decimal(price.image()));
        }
        return text.toString();
    }

    private static void format(Rates rates, StringJoiner into) {
        into.add("input " + Money.decimal(rates.input()));
        if (rates.cachedInput() != rates.input()) {
            into.add("cached-input " + Money.decimal(rates.cachedInput()));
        }
        if (rates.cacheWrite() != rates.input()) {
            into.add("cache-write " + Money.decimal(rates.cacheWrite()));
        }
        into.add("output " + Money.decimal(rates.output()));
        if (rates.reasoning() != rates.output()) {
            into.add("reasoning " + Money.decimal(rates.reasoning()));
        }
    }
}
