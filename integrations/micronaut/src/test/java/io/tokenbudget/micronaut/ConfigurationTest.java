package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.config.YamlSettings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Micronaut: budgets in the application's own configuration")
class ConfigurationTest {

    private static Settings settings(Map<String, Object> properties, String... environments) {
        try (ApplicationContext context = ApplicationContext.builder(properties, environments)
                .deduceEnvironment(false)
                .start()) {
            return context.getBean(DefaultTokenLimiter.class).settings();
        }
    }

    @Test
    @DisplayName("A configuration file of Micronaut says the same as the agent's file")
    void aFileSaysTheSameAsTheAgents() throws IOException {
        try (InputStream yaml =
                Objects.requireNonNull(ConfigurationTest.class.getResourceAsStream("/application-everything.yml"))) {
            String same = new String(yaml.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.startsWith("  ") ? line.substring(2) : line)
                    .reduce("", (all, line) -> all + line + "\n");
            assertThat(settings(Map.of(), "everything")).isEqualTo(YamlSettings.parse(same, "yaml"));
        }
    }

    @Test
    void singlePropertiesAreReadInAnySpelling() {
        Settings settings = settings(Map.of(
                "token-budget.hold", "1m",
                "token-budget.budgets[0].scope", "global",
                "token-budget.budgets[0].limits", "100k tokens per 1h",
                "token-budget.onFailure.timeout", "refund"));
        assertThat(settings.hold()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.budgets()).hasSize(1);
    }

    @Test
    @DisplayName("C9: an application with a broken configuration starts, observes and says so")
    void aBrokenConfigurationIsSaidAndObserved() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("token-budget.hold", "soon"))) {
            assertThat(context.getBean(DefaultTokenLimiter.class).settings().mode())
                    .isEqualTo(Admission.OBSERVE);
            assertThat(context.getBean(ConfiguredBudgets.class).lines())
                    .anySatisfy(line -> assertThat(line).contains("hold").contains("soon"))
                    .last()
                    .asString()
                    .startsWith("NOTHING IS ENFORCED");
        }
    }

    @Test
    @DisplayName("C9: an application whose configuration refers to what is not there starts, observes and says so")
    void whatCannotBeResolvedIsSaidAndObserved() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("token-budget.hold", "${nowhere.at.all}"))) {
            assertThat(context.getBean(DefaultTokenLimiter.class).settings().mode())
                    .isEqualTo(Admission.OBSERVE);
            assertThat(context.getBean(ConfiguredBudgets.class).lines())
                    .anySatisfy(line -> assertThat(line).contains("nowhere.at.all"))
                    .last()
                    .asString()
                    .startsWith("NOTHING IS ENFORCED");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "token-budget.hold | ${token-budget.hold} | ${token-budget.hold} -> ${token-budget.hold}",
                "token-budget.hold | ${token-budget.hold:1m} | ${token-budget.hold} -> ${token-budget.hold}",
                "token-budget.hold | ${first}s | ${first} -> ${second} -> ${first}",
                "token-budget.identity.tenant[0] | literal:${first} | ${first} -> ${second} -> ${first}",
                "token-budget.budgets[0].scope | ${token-budget.budgets[0].scope} | ${token-budget.budgets[0].scope} -> ",
                "token-budget.http.enabled | ${token-budget.http.enabled} | ${token-budget.http.enabled} -> ",
                "token-budget.enabled | ${token-budget.enabled} | ${token-budget.enabled} -> "
            })
    @DisplayName("C9: an application whose configuration refers to itself starts, observes and says key and circle")
    void aCircleIsSaidAndObserved(String key, String value, String circle) {
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("first", "${second}", "second", "1${first}", key, value))) {
            assertThat(context.getBean(DefaultTokenLimiter.class).settings().mode())
                    .isEqualTo(Admission.OBSERVE);
            assertThat(context.getBean(ConfiguredBudgets.class).lines())
                    .anySatisfy(line ->
                            assertThat(line).contains(key).contains(value).contains(circle))
                    .last()
                    .asString()
                    .startsWith("NOTHING IS ENFORCED");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-budget.http.enabled", "token-budget.enabled"})
    @DisplayName("C9: an application in which nobody knows whether we are switched on starts, observes and says so")
    void whatSwitchesUsOnCannotBeResolved(String key) {
        try (ApplicationContext context = ApplicationContext.run(Map.of(key, "${nowhere.at.all}"))) {
            assertThat(context.getBean(ConfiguredBudgets.class).lines())
                    .anySatisfy(line -> assertThat(line).contains(key).contains("nowhere.at.all"))
                    .last()
                    .asString()
                    .startsWith("NOTHING IS ENFORCED");
        }
    }

    @Test
    void withoutAnyItObserves() {
        assertThat(settings(Map.of()).mode()).isEqualTo(Admission.OBSERVE);
    }

    @Test
    void itCanBeSwitchedOff() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("token-budget.enabled", "false"))) {
            assertThat(context.containsBean(DefaultTokenLimiter.class)).isFalse();
        }
    }
}
