package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.core.config.ConfigurationException.Problem;
import io.tokenbudget.core.config.IdentitySource.Kind;
import io.tokenbudget.core.config.OnFailure.Booking;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.OverrunPolicy;
import io.tokenbudget.core.spi.Window;
import io.tokenbudget.core.spi.Window.Calendar.Period;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("YAML: every key is read, nothing is ignored")
class YamlSettingsTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n", "# only a comment\n", "---\n", "{}", "null"})
    void anEmptyFileMeansTheDefaults(String text) {
        assertThat(parse(text)).isEqualTo(Settings.DEFAULT);
    }

    @Test
    void readsEveryKey() {
        Settings settings = parse("""
                mode: observe
                hold: 90s
                remember: 1h
                remember-at-most: 10k
                zone: Europe/Berlin
                overrun: cap-at-estimate
                identity:
                  tenant: ["env:TENANT", "literal:none"]
                  team: "mdc:team"
                budgets:
                  - scope: tenant
                    limits: ["1M tokens per calendar day", "3 concurrent"]
                  - {scope: team, limits: unlimited}
                estimates:
                  default-max-output: 2048
                  models: {"o3*": {max-output: 8192}, "*": {max-output: 512}}
                on-failure: {rejected: keep-input, timeout: keep-estimate, cut-stream: refund, unusable-answer: keep-counted}
                status: {port: 8085}
                """);

        assertThat(settings.mode()).isEqualTo(Admission.OBSERVE);
        assertThat(settings.hold()).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.remember()).isEqualTo(Duration.ofHours(1));
        assertThat(settings.rememberAtMost()).isEqualTo(10_000);
        assertThat(settings.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(settings.overrun()).isSameAs(OverrunPolicy.CAP_AT_ESTIMATE);
        assertThat(settings.identity())
                .containsEntry("tenant", List.of(source(Kind.ENV, "TENANT"), source(Kind.LITERAL, "none")))
                .containsEntry("team", List.of(source(Kind.MDC, "team")));
        assertThat(settings.budgets()).extracting(BudgetRow::text).containsExactly("tenant", "team");
        assertThat(settings.budgets().get(0).limits())
                .extracting(Limit::text)
                .containsExactly("1M tokens per calendar day", "3 concurrent");
        assertThat(settings.budgets().get(1).limits())
                .extracting(Limit::unlimited)
                .containsExactly(true);
        assertThat(settings.estimates().maxOutput("o3-mini")).isEqualTo(8192);
        assertThat(settings.estimates().maxOutput("gpt")).isEqualTo(512);
        assertThat(settings.estimates().maxOutput(null)).isEqualTo(2048);
        assertThat(settings.onFailure())
                .isEqualTo(
                        new OnFailure(Booking.KEEP_INPUT, Booking.KEEP_ESTIMATE, Booking.REFUND, Booking.KEEP_COUNTED));
        assertThat(settings.statusPort()).isEqualTo(8085);
    }

    @Test
    void aDimensionThatIdentityDoesNotNameKeepsItsDefaultSources() {
        Settings settings = parse("identity: {tenant: [\"mdc:customer\"]}");
        assertThat(settings.identity())
                .containsEntry("tenant", List.of(source(Kind.MDC, "customer")))
                .containsEntry("agent", Settings.DEFAULT_IDENTITY.get("agent"));
    }

    @Test
    void anEmptyListOfSourcesTakesTheDefaultsAway() {
        assertThat(parse("identity: {tenant: []}").identity()).containsEntry("tenant", List.of());
    }

    @Test
    void oneFailureKeepsTheDefaultsOfTheOthers() {
        assertThat(parse("on-failure: {timeout: refund}").onFailure())
                .isEqualTo(new OnFailure(Booking.REFUND, Booking.REFUND, Booking.KEEP_COUNTED, Booking.KEEP_INPUT));
    }

    @Test
    void calendarWindowsUseTheZoneWhereverItStands() {
        Settings settings = parse("budgets: [{scope: global, limits: 1 request per calendar week}]\nzone: \"+02:00\"");
        assertThat(settings.budgets().get(0).limits().get(0).window())
                .isEqualTo(new Window.Calendar(Period.WEEK, ZoneId.of("+02:00")));
    }

    @Test
    void utcIsTheDefaultHoweverItIsWritten() {
        assertThat(parse("zone: UTC")).isEqualTo(Settings.DEFAULT);
        assertThat(parse("zone: Z")).isEqualTo(Settings.DEFAULT);
    }

    @Test
    void aLineBreakOfWindowsAndAByteOrderMarkDoNoHarm() {
        assertThat(parse("\uFEFFmode: observe\r\nhold: 1m\r\n").hold()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void anAnchorMayBeUsedTwice() {
        Settings settings = parse("""
                budgets:
                  - {scope: agent, limits: &same ["1k tokens per 1h"]}
                  - {scope: tenant, limits: *same}
                """);
        assertThat(settings.budgets().get(1).limits())
                .isEqualTo(settings.budgets().get(0).limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mode: [", "a: b: c", "\tmode: observe", "mode: 'x", "m\u0001: x", "*: x", "--- a\n--- b"})
    void syntaxErrorsAreProblemsWithALine(String text) {
        assertThat(problems("\n" + text)).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isBetween(2, 3);
            assertThat(problem.source()).isEqualTo("budgets.yaml");
            assertThat(problem.message()).startsWith("not YAML: ");
        });
    }

    @Test
    void aSyntaxErrorAtAStarSaysThatItNeedsQuotes() {
        assertThat(problems("estimates: {models: {*-mini: {max-output: 1}}}"))
                .singleElement()
                .extracting(Problem::message)
                .asString()
                .contains("a word that begins with * needs quotes");
    }

    @Test
    void bottomlessNestingIsAProblemAndNoStackOverflow() {
        assertThat(problems("[".repeat(100_000)))
                .singleElement()
                .extracting(Problem::message)
                .asString()
                .startsWith("not ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plans: {free: {multiplier: 1, priority: 3}}",
                "on-limit: refuse",
                "max-wait: 10s",
                "store: memory",
                "redis: {uri: x}",
                "on-store-failure: refuse",
                "journal: x",
                "warn-at: 80%",
                "budgets: [{scope: agent, limits: 1 token, mode: observe}]",
                "budgets: [{scope: agent, limits: 1 token, warn-at: 80%}]",
            })
    void whatLaterVersionsBringIsRefusedAsNotSupportedYet(String text) {
        assertThat(problems(text))
                .singleElement()
                .extracting(Problem::message)
                .asString()
                .contains("not supported yet");
    }

    @Test
    void anIdentityDimensionNearABuiltInOneMustBeUsed() {
        assertThat(problems("identity: {tennant: [\"mdc:t\"]}"))
                .singleElement()
                .hasToString("budgets.yaml:1: identity.tennant: no budget is kept for it; did you mean tenant?");
        assertThat(parse("identity: {tools: [\"mdc:t\"]}\nbudgets: [{scope: tools, limits: 1 token}]")
                        .budgets())
                .hasSize(1);
    }

    private static Settings parse(String text) {
        return YamlSettings.parse(text, "budgets.yaml");
    }

    private static List<Problem> problems(String text) {
        ConfigurationException refused = catchThrowableOfType(ConfigurationException.class, () -> parse(text));
        assertThat(refused).isNotNull();
        return refused.problems();
    }

    private static IdentitySource source(Kind kind, String name) {
        return new IdentitySource(kind, name);
    }
}
