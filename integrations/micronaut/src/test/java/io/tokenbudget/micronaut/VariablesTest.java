package io.tokenbudget.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.MapPropertySource;
import io.micronaut.context.env.PropertySource;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.OnFailure.Booking;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Micronaut: environment variables mean what they mean to the agent")
class VariablesTest {
    private static final Map<String, Object> A_ROW = Map.of(
            "token-budget.budgets[0].scope", "global",
            "token-budget.budgets[0].limits", "100k tokens per 1h");

    /** What a cluster gives every container for a service of this name, and what Micronaut makes of numbers in it. */
    private static Map<String, String> ofService(String name) {
        return Map.of(
                name + "_SERVICE_HOST", "10.0.0.1",
                name + "_SERVICE_PORT", "80",
                name + "_PORT", "tcp://10.0.0.1:80",
                name + "_PORT[80]TCP", "tcp://10.0.0.1:80",
                name + "_PORT[80]TCP_PROTO", "tcp");
    }

    private static ConfiguredBudgets read(Map<String, Object> properties, Map<String, String> variables) {
        PropertySource environment = new MapPropertySource("variables", variables) {
            @Override
            public PropertyConvention getConvention() {
                return PropertyConvention.ENVIRONMENT_VARIABLE;
            }

            @Override
            public int getOrder() {
                return -200;
            }
        };
        PropertySource file = new MapPropertySource("file", properties) {
            @Override
            public int getOrder() {
                return -300;
            }
        };
        try (ApplicationContext context = ApplicationContext.builder()
                .deduceEnvironment(false)
                .propertySources(environment, file)
                .start()) {
            return context.getBean(ConfiguredBudgets.class);
        }
    }

    /** With and without a property of somebody else's that begins with the same letter: Micronaut keeps those together. */
    @ParameterizedTest
    @ValueSource(strings = {"test", "other"})
    @DisplayName("A variable counts above the file, whatever else there is")
    void variablesCount(String another) {
        Map<String, String> variables = Map.of(
                "TOKEN_BUDGET_MODE", "observe",
                "TOKEN_BUDGET_ON_FAILURE_TIMEOUT", "refund",
                "TOKEN_BUDGET_ESTIMATES_DEFAULT_MAX_OUTPUT", "99",
                "TOKEN_BUDGET_IDENTITY_TENANT", "header:X-Org, literal:nobody");
        for (Map<String, Object> file : List.of(
                Map.<String, Object>of(),
                Map.<String, Object>of("token-budget.hold", "1m"),
                Map.<String, Object>of(
                        "token-budget.mode",
                        "enforce",
                        "token-budget.onFailure.timeout",
                        "keep-estimate",
                        "token-budget.identity.tenant",
                        List.of("literal:file", "literal:more")))) {
            Map<String, Object> all = new TreeMap<>(file);
            all.put(another, "");
            ConfiguredBudgets configured = read(all, variables);
            assertThat(configured.isUsable()).as("%s", configured.lines()).isTrue();
            Settings settings = configured.settings();
            assertThat(settings.mode()).isEqualTo(Admission.OBSERVE);
            assertThat(settings.onFailure().timeout()).isEqualTo(Booking.REFUND);
            assertThat(settings.estimates().defaultMaxOutput()).isEqualTo(99);
            assertThat(settings.identity().get("tenant"))
                    .extracting(IdentitySource::name)
                    .containsExactly("X-Org", "nobody");
        }
    }

    @Test
    void aDimensionOfTheFilesOwnCanBeSet() {
        Settings settings = read(
                        Map.of("token-budget.identity.branch", List.of("literal:file")),
                        Map.of("TOKEN_BUDGET_IDENTITY_BRANCH", "literal:variable"))
                .settings();
        assertThat(settings.identity().get("branch"))
                .extracting(IdentitySource::name)
                .containsExactly("variable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TOKENBUDGET",
                "TOKEN_BUDGET",
                "TOKEN_BUDGET_STATUS",
                "TOKEN_BUDGET_CONFIG",
                "TOKEN_BUDGET_BUDGETS"
            })
    @DisplayName("A service that a cluster knows by our name takes no budget out of force")
    void aServiceOfOurNameChangesNothing(String name) {
        for (String another : List.of("test", "other")) {
            Map<String, Object> file = new TreeMap<>(A_ROW);
            file.put(another, "");
            ConfiguredBudgets configured = read(file, ofService(name));
            assertThat(configured.isUsable()).as("%s", configured.lines()).isTrue();
            assertThat(configured.settings().mode()).isEqualTo(Admission.ENFORCE);
            assertThat(configured.settings().budgets()).hasSize(1);
            assertThat(read(Map.of(another, ""), ofService(name)).lines())
                    .singleElement()
                    .asString()
                    .contains("there is no token-budget");
        }
    }

    @Test
    void anEmptyVariableCountsAsNotSet() {
        Map<String, Object> file = new TreeMap<>(A_ROW);
        file.put("token-budget.hold", "1m");
        file.put("token-budget.identity.tenant", List.of("literal:file", "literal:more"));
        ConfiguredBudgets configured = read(
                file, Map.of("TOKEN_BUDGET_HOLD", "", "TOKEN_BUDGET_MODE", " ", "TOKEN_BUDGET_IDENTITY_TENANT", ""));
        assertThat(configured.isUsable()).as("%s", configured.lines()).isTrue();
        assertThat(configured.settings().hold()).isEqualTo(Duration.ofMinutes(1));
        assertThat(configured.settings().identity().get("tenant")).hasSize(2);
    }

    @Test
    void aSlipOfThePenIsSaid() {
        assertThat(read(A_ROW, Map.of("TOKEN_BUDGET_MOD", "observe")).lines())
                .anySatisfy(line ->
                        assertThat(line).contains("TOKEN_BUDGET_MOD is no key").contains("TOKEN_BUDGET_MODE"));
    }

    /** As a test writes them and as Micronaut makes them of the environment. */
    @ParameterizedTest
    @CsvSource({
        "TOKEN_BUDGET_BUDGETS_0_SCOPE, TOKEN_BUDGET_BUDGETS_0_LIMITS_0",
        "TOKEN_BUDGET_BUDGETS[0]SCOPE, TOKEN_BUDGET_BUDGETS[0]LIMITS[0]",
        "TOKENBUDGET_BUDGETS_0_SCOPE, TOKENBUDGET_BUDGETS_0_LIMITS_0"
    })
    @DisplayName("Variables that were meant as rows of budgets are named: they would be silently not there")
    void rowsInVariablesAreSaid(String scope, String limits) {
        for (Map<String, Object> file : List.of(Map.<String, Object>of(), A_ROW)) {
            ConfiguredBudgets configured = read(file, Map.of(scope, "global", limits, "1 tokens per 1h"));
            assertThat(configured.isUsable()).as("%s", configured.lines()).isTrue();
            assertThat(configured.settings().budgets()).hasSize(file.isEmpty() ? 0 : 1);
            assertThat(configured.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("BUDGET_BUDGETS_0_SCOPE is ignored")
                            .contains("only a file can say this"))
                    .anySatisfy(line -> assertThat(line).contains("BUDGET_BUDGETS_0_LIMITS_0 is ignored"));
        }
    }

    @Test
    void whatIsTheAgentsIsSaidAndLeft() {
        ConfiguredBudgets configured = read(Map.of("token-budget.status.port", "9090"), Map.of());
        assertThat(configured.lines()).first().asString().contains("there is no token-budget");
        Map<String, Object> file = new TreeMap<>(A_ROW);
        file.put("token-budget.status.port", "9090");
        assertThat(read(file, Map.of()).lines()).anyMatch(line -> line.startsWith("status is the agent's"));
    }

    @Test
    void aValueThatIsNoneNamesItsKey() {
        ConfiguredBudgets configured = read(A_ROW, Map.of("TOKEN_BUDGET_HOLD", "soon"));
        assertThat(configured.isUsable()).isFalse();
        assertThat(configured.lines().get(0)).contains("hold").contains("soon");
    }

    @Test
    @DisplayName(
            "A reference to what is not there is an error that names the key, wherever it stands; all of them at once")
    void aReferenceToNothingNamesItsKey() {
        ConfiguredBudgets configured = read(
                Map.of(
                        "token-budget.identity.tenant",
                        List.of("header:X-Org", "literal:${nope.tenant}"),
                        "token-budget.budgets",
                        List.of(Map.of("scope", "global", "limits", List.of("${nope.limit}")))),
                Map.of("TOKEN_BUDGET_HOLD", "${nope.hold}"));
        assertThat(configured.isUsable()).isFalse();
        assertThat(configured.settings().mode()).isEqualTo(Admission.OBSERVE);
        assertThat(configured.lines())
                .anySatisfy(line -> assertThat(line)
                        .contains("token-budget.identity.tenant[1]")
                        .contains("${nope.tenant}"))
                .anySatisfy(line -> assertThat(line)
                        .contains("token-budget.budgets[0].limits[0]")
                        .contains("${nope.limit}"))
                .anySatisfy(line -> assertThat(line)
                        .contains("TOKEN_BUDGET_HOLD")
                        .contains("${nope.hold}")
                        .contains("allowed"))
                .last()
                .asString()
                .startsWith("NOTHING IS ENFORCED");
    }
}
