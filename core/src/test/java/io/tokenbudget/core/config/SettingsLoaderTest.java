package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.core.config.ConfigurationException.Problem;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Layers: property over environment over file over default")
class SettingsLoaderTest {
    private static final String PROPERTY = "token-budget.hold";
    private static final String VARIABLE = "TOKEN_BUDGET_HOLD";

    @Test
    void eachLayerWinsOverTheOneBelow() {
        assertThat(hold("", Map.of(), Map.of())).isEqualTo("hold = 5m (default)");
        assertThat(hold("\nhold: 1m", Map.of(), Map.of())).isEqualTo("hold = 1m (budgets.yaml:2)");
        assertThat(hold("hold: 1m", Map.of(), Map.of(VARIABLE, "2m")))
                .isEqualTo("hold = 2m (environment variable TOKEN_BUDGET_HOLD)");
        assertThat(hold("hold: 1m", Map.of(PROPERTY, "3m"), Map.of(VARIABLE, "2m")))
                .isEqualTo("hold = 3m (system property token-budget.hold)");
    }

    @Test
    void theSettingsAreThoseThatAreListed() {
        assertThat(load("hold: 1m", Map.of(PROPERTY, "3m"), Map.of()).settings().hold())
                .isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void aPropertyHealsAVariableThatCannotBeRead() {
        assertThat(hold("", Map.of(PROPERTY, "3m"), Map.of(VARIABLE, "soon")))
                .isEqualTo("hold = 3m (system property token-budget.hold)");
    }

    @Test
    void anEmptyVariableCountsAsNotSet() {
        assertThat(hold("", Map.of(), Map.of(VARIABLE, " "))).isEqualTo("hold = 5m (default)");
    }

    @Test
    void anEmptyPropertyIsAProblem() {
        assertThat(problems(Map.of(PROPERTY, "")))
                .containsExactly("system property token-budget.hold: found \"\"; allowed: a duration such as 30s, 5m,"
                        + " 1h or 7d");
    }

    @ParameterizedTest
    @CsvSource({
        "status.port, TOKEN_BUDGET_STATUS_PORT, 8085",
        "on-failure.cut-stream, TOKEN_BUDGET_ON_FAILURE_CUT_STREAM, refund",
        "estimates.default-max-output, TOKEN_BUDGET_ESTIMATES_DEFAULT_MAX_OUTPUT, 7",
        "remember-at-most, TOKEN_BUDGET_REMEMBER_AT_MOST, 5",
        "identity.tenant, TOKEN_BUDGET_IDENTITY_TENANT, 'mdc:customer, literal:none'",
        "identity.user, TOKEN_BUDGET_IDENTITY_USER, mdc:user",
    })
    void nestedKeysAreWrittenWithDotsOrUnderscores(String key, String variable, String value) {
        assertThat(load("", Map.of("token-budget." + key, value), Map.of()).values())
                .contains(new EffectiveValue(key, value, "system property token-budget." + key));
        assertThat(load("", Map.of(), Map.of(variable, value)).values())
                .contains(new EffectiveValue(key, value, "environment variable " + variable));
    }

    @Test
    void aVariableMeansADimensionOfTheUsersOwnIfTheFileNamesIt() {
        assertThat(load(
                                "identity: {cost-center: [\"mdc:a\"]}",
                                Map.of(),
                                Map.of("TOKEN_BUDGET_IDENTITY_COST_CENTER", "mdc:b"))
                        .settings()
                        .identity())
                .containsEntry("cost-center", List.of(new IdentitySource(IdentitySource.Kind.MDC, "b")));
    }

    @Test
    void calendarWindowsUseTheZoneThatIsInForce() {
        LoadedSettings loaded = load(
                "zone: UTC\nbudgets: [{scope: global, limits: 1 token per calendar day}]",
                Map.of("token-budget.zone", "Asia/Tokyo"),
                Map.of());
        assertThat(loaded.settings().budgets().get(0).limits().get(0).window())
                .isEqualTo(new Window.Calendar(Window.Calendar.Period.DAY, ZoneId.of("Asia/Tokyo")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "token-budget.holdd | unknown key, did you mean \"token-budget.hold\"?",
                "token-budget.statusPort | unknown key, did you mean \"token-budget.status.port\"?",
                "token-budget.store | not supported yet: this version cannot do what the key asks for, remove it",
                "token-budget.redis.uri | not supported yet: this version cannot do what the key asks for, remove it",
                "token-budget.budgets[0].scope | only a file can say this",
                "token-budget.estimates.models.x | only a file can say this",
                "token-budget.identity.model | the model is the one each request names, identity has no part in it",
            })
    void aPropertyThatIsNoKeyIsAProblem(String property, String message) {
        assertThat(problems(Map.of(property, "1"))).containsExactly("system property " + property + ": " + message);
    }

    @Test
    void anUnknownPropertyFarFromEveryKeyListsThem() {
        assertThat(problems(Map.of("token-budget.colour", "1")))
                .singleElement()
                .asString()
                .contains("allowed: config, agent.log, mode, hold,", "status.port, identity.<dimension>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-budget.config",
                "token-budget.agent.log",
                "token-budget.agent.active",
                "token-budgets.hold",
                "java.version"
            })
    void propertiesOfOthersAreLeftAlone(String property) {
        assertThat(load("", Map.of(property, "x"), Map.of()).settings()).isEqualTo(Settings.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "TOKEN_BUDGET_SERVICE_HOST, 10.0.0.1",
        "TOKEN_BUDGET_PORT_6379_TCP, tcp://10.0.0.1:6379",
        "TOKEN_BUDGET_CONFIG, budgets.yaml",
        "TOKEN_BUDGET_AGENT_LOG, calls",
        "TOKEN_BUDGET_CONFIG_SERVICE_HOST, 10.0.0.1",
        "TOKEN_BUDGET_CONFIG_PORT_80_TCP, tcp://10.0.0.1:80",
        "TOKEN_BUDGET, 5000",
        "HOME, /root"
    })
    void variablesOfOthersAreLeftAloneWithoutAWord(String variable, String value) {
        LoadedSettings loaded = load("", Map.of(), Map.of(variable, value));
        assertThat(loaded.settings()).isEqualTo(Settings.DEFAULT);
        assertThat(loaded.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "TOKEN_BUDGET_HOLDS, TOKEN_BUDGET_HOLD",
        "TOKEN_BUDGET_STATUSPORT, TOKEN_BUDGET_STATUS_PORT",
        "TOKEN_BUDGET_CONFG, TOKEN_BUDGET_CONFIG",
        "TOKEN_BUDGET_CONFIG_FILE, TOKEN_BUDGET_CONFIG",
        "TOKEN_BUDGET_CONFIGURATION, TOKEN_BUDGET_CONFIG",
        "TOKENBUDGET_CONFIG, TOKEN_BUDGET_CONFIG",
        "token_budget_config, TOKEN_BUDGET_CONFIG",
        "TOKEN_BUDGET_AGENT_LOGS, TOKEN_BUDGET_AGENT_LOG",
        "TOKENBUDGET_MODE, TOKEN_BUDGET_MODE",
    })
    void aVariableThatIsNearlyAKeyIsWarnedOf(String variable, String meant) {
        assertThat(load("", Map.of(), Map.of(variable, "1m")).warnings())
                .containsExactly(
                        "environment variable " + variable + " is no key and is ignored: did you mean " + meant + "?");
    }

    @Test
    void theAddressThatKubernetesWritesIsNoStatusPort() {
        LoadedSettings loaded = load("", Map.of(), Map.of("TOKEN_BUDGET_STATUS_PORT", "tcp://10.0.0.1:80"));
        assertThat(loaded.settings().statusPort()).isZero();
        assertThat(loaded.warnings()).hasSize(1);
    }

    @Test
    void aBudgetOfADimensionWithoutSourceIsWarnedOfOnce() {
        LoadedSettings loaded = load("""
                identity: {region: [], team: ["mdc:team"]}
                budgets:
                  - {scope: "tenant/user", limits: ["1k tokens per 1h"]}
                  - {scope: "user:joe", limits: ["1k tokens per 1h"]}
                  - {scope: "region/team/agent", limits: ["1k tokens per 1h"]}
                  - {scope: run, limits: ["1k tokens"]}
                  - {scope: model, limits: ["1k tokens per 1h"]}
                  - {scope: global, limits: ["1k tokens per 1h"]}
                """, Map.of(), Map.of());

        assertThat(loaded.warnings())
                .containsExactly("budgets.yaml:3: budgets[0].scope: user has no source under identity: this budget"
                        + " applies only where the application's BudgetContext names one");
    }

    @Test
    void aScopeOneLetterAwayFromADimensionOfIdentityIsASlip() {
        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> load("""
                identity: {customer: "mdc:customer"}
                budgets: [{scope: custommer, limits: ["1k tokens per 1h"]}]
                """, Map.of(), Map.of()));

        assertThat(refused.problems())
                .singleElement()
                .asString()
                .contains("found \"custommer\": did you mean customer? If custommer is a dimension of your own");
    }

    @Test
    void listsEverySettingWithItsSource() {
        LoadedSettings loaded = load("""
                identity: {tenant: ["mdc:t", "literal:none"], user: []}
                estimates: {models: {"o3*": {max-output: 8k}}}
                budgets:
                  - scope: agent
                    limits: ["100k tokens per 1h", "3 concurrent"]
                """, Map.of(), Map.of());
        assertThat(loaded.values())
                .extracting(EffectiveValue::toString)
                .contains(
                        "mode = enforce (default)",
                        "zone = UTC (default)",
                        "overrun = charge-actual (default)",
                        "identity.agent = literal:default (default)",
                        "identity.tenant = mdc:t, literal:none (budgets.yaml:1)",
                        "identity.user = [] (budgets.yaml:1)",
                        "estimates.models.o3*.max-output = 8000 (budgets.yaml:2)",
                        "budgets[0] = agent: 100k tokens per 1h, 3 concurrent (budgets.yaml:4)")
                .hasSize(ScalarKey.values().length + 5);
    }

    @ParameterizedTest
    @CsvSource({
        "redis.password, hunter2, ***",
        "client-secret, hunter2, ***",
        "token-value, hunter2, ***",
        "api-key, hunter2, ***",
        "redis.uri, redis://user:hunter2@host:6379/0, redis://***@host:6379/0",
        "redis.uri, redis://host:6379/0, redis://host:6379/0",
        "mode, enforce, enforce",
        "keyboard, qwerty, qwerty",
    })
    void masksWhatLooksSecret(String key, String value, String shown) {
        assertThat(new EffectiveValue(key, value, "default").value()).isEqualTo(shown);
    }

    private static LoadedSettings load(String text, Map<String, String> properties, Map<String, String> environment) {
        return SettingsLoader.load(text, "budgets.yaml", properties, environment);
    }

    private static String hold(String text, Map<String, String> properties, Map<String, String> environment) {
        return load(text, properties, environment).values().stream()
                .filter(value -> value.key().equals("hold"))
                .findFirst()
                .orElseThrow()
                .toString();
    }

    private static List<String> problems(Map<String, String> properties) {
        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> load("", properties, Map.of()));
        assertThat(refused).isNotNull();
        return refused.problems().stream().map(Problem::toString).toList();
    }
}
