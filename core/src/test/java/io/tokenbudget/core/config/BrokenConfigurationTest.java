package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.core.config.ConfigurationException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Errors: all of them at once, with file, line, key, what was found and what is allowed")
class BrokenConfigurationTest {

    @Test
    void aThoroughlyBrokenFileIsAnsweredLineByLine() throws IOException {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class, () -> YamlSettings.parse(resource("broken.yaml"), "broken.yaml"));

        assertThat(refused).isNotNull();
        assertThat(refused.problems().stream().map(Problem::toString).toList())
                .containsExactlyElementsOf(resource("broken.txt").lines().toList());
        assertThat(refused)
                .hasMessage(String.join(
                        System.lineSeparator(), resource("broken.txt").lines().toList()));
    }

    @Test
    void problemsOfOverridesFollowThoseOfTheFileAndNameTheirProperty() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> SettingsLoader.load(
                        "\nmode: x",
                        "budgets.yaml",
                        Map.of("token-budget.hold", "soon", "token-budget.zone", "UTC"),
                        Map.of("TOKEN_BUDGET_ON_FAILURE_TIMEOUT", "keep")));

        assertThat(refused).isNotNull();
        assertThat(refused.problems().stream().map(Problem::toString))
                .containsExactly(
                        "budgets.yaml:2: mode: found \"x\"; allowed: enforce, observe",
                        "environment variable TOKEN_BUDGET_ON_FAILURE_TIMEOUT: found \"keep\"; allowed: refund,"
                                + " keep-input, keep-counted, keep-estimate",
                        "system property token-budget.hold: found \"soon\"; allowed: a duration such as 30s, 5m, 1h or"
                                + " 7d");
    }

    @Test
    void aPlainValueInPlaceOfTheOnlyKeyIsShownAtItsPlace() {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> YamlSettings.parse("status: 9464\nestimates: {models: {x: 1k}}", "budgets.yaml"));

        assertThat(refused.problems().stream().map(Problem::toString))
                .containsExactly(
                        "budgets.yaml:1: status: found \"9464\"; write status: {port: 9464}",
                        "budgets.yaml:2: estimates.models.x: found \"1k\"; write x: {max-output: 1k}");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = BrokenConfigurationTest.class.getResourceAsStream("/config/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
