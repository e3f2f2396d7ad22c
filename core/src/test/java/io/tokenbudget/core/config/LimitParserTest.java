package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import io.tokenbudget.core.spi.Window.Calendar.Period;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Limits: <amount> <unit> [per <window>]")
class LimitParserTest {
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource({
        "250, 250",
        "0, 0",
        "1_000, 1000",
        "100k, 100000",
        "100K, 100000",
        "1.5M, 1500000",
        "2B, 2000000000",
        "1.50k, 1500",
        "0.001k, 1",
        "9007199254740991, 9007199254740991",
    })
    void readsAmounts(String amount, long expected) {
        assertThat(parse(amount + " tokens").amount()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1.5",
                "1.0001k",
                "1e6",
                "1,000",
                "1m",
                ".5k",
                "5.",
                "k",
                "_1",
                "1_",
                "0x10",
                "1T",
                "9007199254740992",
                "9007199254740.992k"
            })
    void refusesOtherAmounts(String amount) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(amount + " tokens"))
                .withMessageStartingWith("found \"" + amount + " tokens\": \"" + amount + "\"; allowed: ");
    }

    @ParameterizedTest
    @CsvSource({
        "tokens, TOKENS",
        "token, TOKENS",
        "Tokens, TOKENS",
        "input tokens, INPUT_TOKENS",
        "input  tokens, INPUT_TOKENS",
        "output tokens, OUTPUT_TOKENS",
        "output token, OUTPUT_TOKENS",
        "requests, REQUESTS",
        "request, REQUESTS",
        "attempts, ATTEMPTS",
        "attempt, ATTEMPTS",
        "concurrent, CONCURRENT",
    })
    void readsUnits(String unit, LimitUnit expected) {
        assertThat(parse("1 " + unit).unit()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"30s, 30", "5m, 300", "1h, 3600", "60m, 3600", "7d, 604800", "1000ms, 1"})
    void readsRollingWindows(String window, long seconds) {
        assertThat(parse("1 tokens per " + window).window()).isEqualTo(new Window.Rolling(Duration.ofSeconds(seconds)));
    }

    @ParameterizedTest
    @CsvSource({"day, DAY", "week, WEEK", "month, MONTH"})
    void readsCalendarWindowsInTheConfiguredZone(String window, Period expected) {
        assertThat(parse("1 tokens per calendar " + window).window()).isEqualTo(new Window.Calendar(expected, ZONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hour", "1 h", "0s", "5", "999ms", "4000d", "day", "calendar year", "1h30m", ""})
    void refusesOtherWindows(String window) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("1 tokens per " + window))
                .withMessageContaining("\"" + window + "\"; allowed: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 h      | \"1h\"",
                "hour     | \"1h\"",
                "24 hours | \"24h\"",
                "Minute   | \"1m\"",
                "day      | \"calendar day\" or \"1d\"",
                "week     | \"calendar week\" or \"7d\"",
                "1w       | \"7d\"",
                "2 weeks  | \"14d\"",
            })
    void saysHowAWindowInOtherWordsIsWritten(String window, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("1k tokens per " + window))
                .withMessageEndingWith("7d; did you mean " + meant + "?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("1k tokens per fortnight"))
                .withMessageEndingWith("7d");
    }

    @Test
    void countsForLifeWithoutAWindow() {
        assertThat(parse("200k tokens").window()).isEqualTo(Window.Lifetime.INSTANCE);
    }

    @Test
    void refusesAWindowOfConcurrent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("3 concurrent per 1h"))
                .withMessage("found \"3 concurrent per 1h\": \"per 1h\": concurrent counts the calls under way,"
                        + " without a window");
    }

    @Test
    void stillCountsTheLastHourWhereUnlimited() {
        assertThat(parse(" unlimited "))
                .isEqualTo(new Limit(
                        Limit.UNLIMITED, LimitUnit.TOKENS, new Window.Rolling(Duration.ofHours(1)), "unlimited"));
    }

    @Test
    void keepsTheTextAsWritten() {
        assertThat(parse("  100k  tokens per 1h ").text()).isEqualTo("100k  tokens per 1h");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$40 per calendar day      | 40_000_000_000",
                "$0.50                     | 500_000_000",
                "$0.000000001 per 1h       | 1",
                "$1_000.5                  | 1_000_500_000_000",
                "40 usd per 1h             | 40_000_000_000",
                "$9007199.254740991 per 7d | 9_007_199_254_740_991",
                "$0                        | 0",
            })
    void readsMoneyExactlyInNanoUsd(String text, String amount) {
        String limit = text.strip();
        long nanoUsd = Long.parseLong(amount.strip().replace("_", ""));
        assertThat(parse(limit).unit()).isEqualTo(LimitUnit.USD);
        assertThat(parse(limit).amount()).isEqualTo(nanoUsd);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$-1                     | \"$-1\"; allowed: an amount of USD such as 2.50 or $40, with at most 9 digits",
                "$0.0000000001           | \"$0.0000000001\"; allowed: an amount of USD such as 2.50 or $40, with at most 9",
                "$40k                    | \"$40k\"; allowed: an amount of USD such as 2.50 or $40, with at most 9 digits",
                "$9007199.254740992      | \"$9007199.254740992\"; allowed: at most $9007199.254740991",
                "$40 tokens per 1h       | \"tokens\"; allowed: nothing between the money and \"per\"",
                "$40 per day             | \"day\"; allowed: the windows",
            })
    void saysWhatMoneyMayBe(String limit, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(limit.strip()))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tokens", "unlimited tokens", "per 1h", "100"})
    void namesTheWholeFormWhereNothingFits(String limit) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(limit)).withMessageContaining("allowed: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"100k tokns per 1h", "100 k tokens", "100k tokens 1h", "100k tokens/1h", "3 concurrent requests"
            })
    void namesTheUnitsWhereTheUnitIsWrong(String limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(limit))
                .withMessageContaining("tokens, input tokens, output tokens, requests, attempts, concurrent");
    }

    private static Limit parse(String text) {
        return LimitParser.parse(text, ZONE);
    }
}
