package io.tokenbudget.integrationtests.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.TokenBudgets;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.MapSettings;
import io.tokenbudget.core.config.OnFailure;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.HoldRequest.Admission;
import io.tokenbudget.core.spi.Limit;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@DisplayName(
        "Starter: token-budget in the application's configuration is read as the file is, and never keeps it from starting")
public class ConfigurationTest {

    @Test
    void theConfigurationIsInForceAndTheLimiterIsTheProcesss() {
        try (ConfigurableApplicationContext context = start(
                Nothing.class,
                Map.of(
                        "token-budget.hold", "90s",
                        "token-budget.estimates.models[gpt-4.1*].max-output", "77",
                        "token-budget.identity.tenant", "header:X-Tenant-Id, literal:none",
                        "token-budget.budgets[0].scope", "tenant",
                        "token-budget.budgets[0].limits[0]", "60 requests per 1m",
                        "token-budget.budgets[0].limits[1]", "$40 per calendar day",
                        "token-budget.prices[gpt-4o*].input", "2.50",
                        "token-budget.prices[gpt-4o*].output", "10"))) {
            Settings settings = settings(context);
            assertThat(settings.mode()).isEqualTo(Admission.ENFORCE);
            assertThat(settings.hold()).hasSeconds(90);
            assertThat(settings.estimates().maxOutput("gpt-4.1-mini")).isEqualTo(77);
            assertThat(settings.budgets().get(0).limits())
                    .extracting(Limit::text)
                    .containsExactly("60 requests per 1m", "$40 per calendar day");
            assertThat(settings.prices().models()).containsOnlyKeys("gpt-4o*");
            assertThat(TokenBudgets.limiter()).isSameAs(context.getBean(TokenLimiter.class));
        }
    }

    @Test
    void anyKeyMayComeFromTheEnvironmentAndALaterListReplacesTheEarlierWhole() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "base",
                        Map.of(
                                "token-budget.on-failure.cut-stream", "keep-input",
                                "token-budget.identity.tenant[0]", "mdc:tenant",
                                "token-budget.identity.tenant[1]", "header:X-Tenant",
                                "token-budget.identity.agent[0]", "literal:base",
                                "token-budget.budgets[0].scope", "tenant",
                                "token-budget.budgets[0].limits[0]", "1 request per 1m",
                                "token-budget.budgets[1].scope", "agent",
                                "token-budget.budgets[1].limits[0]", "2 requests per 1m")));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "profile",
                        Map.of(
                                "token-budget.identity.tenant[0]", "claim:tenant",
                                "token-budget.budgets[0].scope", "global",
                                "token-budget.budgets[0].limits[0]", "3 requests per 1m")));
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-systemEnvironment",
                        Map.of("TOKENBUDGET_ONFAILURE_CUTSTREAM", "refund", "TOKEN_BUDGET_HOLD", "1m")));
        try (ConfigurableApplicationContext context = Application.withoutWeb(Nothing.class, environment)) {
            Settings settings = settings(context);
            assertThat(settings.onFailure().cutStream()).isEqualTo(OnFailure.Booking.REFUND);
            assertThat(settings.hold()).hasMinutes(1);
            assertThat(settings.budgets()).extracting(row -> row.text()).containsExactly("global");
            assertThat(settings.identity().get("tenant"))
                    .containsExactly(new IdentitySource(IdentitySource.Kind.CLAIM, "tenant"));
            assertThat(settings.identity().get("agent"))
                    .containsExactly(new IdentitySource(IdentitySource.Kind.LITERAL, "base"));
        }
    }

    @Test
    void variablesInEitherSpellingCountAlsoWhereNothingElseIsConfigured() {
        for (String prefix : List.of("TOKEN_BUDGET_", "TOKENBUDGET_")) {
            try (ConfigurableApplicationContext context = withVariables(
                    Map.of(), Map.of(prefix + "MODE", "enforce", prefix + "IDENTITY_TENANT", "mdc:t, literal:x"))) {
                assertThat(settings(context).mode()).isEqualTo(Admission.ENFORCE);
                assertThat(settings(context).identity().get("tenant"))
                        .extracting(IdentitySource::toString)
                        .containsExactly("mdc:t", "literal:x");
            }
            try (ConfigurableApplicationContext context = withVariables(Map.of(), Map.of(prefix + "MODE", "enforce"))) {
                assertThat(settings(context).mode()).isEqualTo(Admission.ENFORCE);
            }
        }
        try (ConfigurableApplicationContext context = withVariables(
                Map.of("token-budget.identity.tenant[0]", "literal:file"),
                Map.of("TOKEN_BUDGET_IDENTITY_TENANT", "literal:variable"))) {
            assertThat(settings(context).identity().get("tenant"))
                    .extracting(IdentitySource::toString)
                    .containsExactly("literal:variable");
        }
    }

    @Test
    void variablesThatAClusterMakesOfAServiceAndOthersThatAreNoKeysChangeNothing() {
        try (ConfigurableApplicationContext context = withVariables(
                Map.of(
                        "token-budget.budgets[0].scope", "global",
                        "token-budget.budgets[0].limits[0]", "3 requests per 1m"),
                Map.ofEntries(
                        Map.entry("TOKENBUDGET_SERVICE_HOST", "10.0.0.7"),
                        Map.entry("TOKENBUDGET_SERVICE_PORT", "80"),
                        Map.entry("TOKENBUDGET_SERVICE_PORT_HTTP", "80"),
                        Map.entry("TOKENBUDGET_PORT", "tcp://10.0.0.7:80"),
                        Map.entry("TOKENBUDGET_PORT_80_TCP", "tcp://10.0.0.7:80"),
                        Map.entry("TOKENBUDGET_PORT_80_TCP_ADDR", "10.0.0.7"),
                        Map.entry("TOKENBUDGET_REDIS_SERVICE_HOST", "10.0.0.8"),
                        Map.entry("TOKENBUDGET_REDIS_PORT", "tcp://10.0.0.8:6379"),
                        Map.entry("TOKEN_BUDGET_STATUS_PORT", "tcp://10.0.0.9:80"),
                        Map.entry("TOKENBUDGET_HOME", "/opt/token-budget")))) {
            assertThat(settings(context).mode()).isEqualTo(Admission.ENFORCE);
            assertThat(settings(context).budgets())
                    .extracting(row -> row.text())
                    .containsExactly("global");
            assertThat(told(context))
                    .contains("token-budget.home is no key")
                    .doesNotContain("token-budget.service", "redis");
        }
    }

    @Test
    void anEmptyVariableCountsAsNotSet() {
        try (ConfigurableApplicationContext context = withVariables(
                Map.of(
                        "token-budget.hold", "90s",
                        "token-budget.identity.tenant", "literal:file",
                        "token-budget.budgets[0].scope", "global",
                        "token-budget.budgets[0].limits[0]", "3 requests per 1m"),
                Map.of(
                        "TOKEN_BUDGET_MODE", "",
                        "TOKENBUDGET_HOLD", " ",
                        "TOKEN_BUDGET_IDENTITY_TENANT", "",
                        "TOKENBUDGET_IDENTITY_AGENT", "",
                        "TOKENBUDGET_BUDGETS", "",
                        "TOKEN_BUDGET_BUDGETS_0_SCOPE", ""))) {
            assertThat(told(context)).contains("problems=[]");
            assertThat(settings(context).mode()).isEqualTo(Admission.ENFORCE);
            assertThat(settings(context).hold()).hasSeconds(90);
            assertThat(settings(context).identity().get("tenant"))
                    .extracting(IdentitySource::toString)
                    .containsExactly("literal:file");
            assertThat(settings(context).budgets())
                    .extracting(row -> row.text())
                    .containsExactly("global");
        }
    }

    @Test
    void rowsMayBeVariablesInEitherSpellingAndThenTheyAreAllThereIs() {
        for (String prefix : List.of("TOKEN_BUDGET_", "TOKENBUDGET_")) {
            try (ConfigurableApplicationContext context = withVariables(
                    Map.of(
                            "token-budget.budgets[0].scope", "global",
                            "token-budget.budgets[0].limits[0]", "3 requests per 1m",
                            "token-budget.budgets[1].scope", "agent",
                            "token-budget.budgets[1].limits[0]", "3 requests per 1m"),
                    Map.of(
                            prefix + "BUDGETS_0_SCOPE", "tenant",
                            prefix + "BUDGETS_0_LIMITS_0", "5 requests per 1m",
                            prefix + "BUDGETS_0_LIMITS_1", "10 tokens per 1h",
                            prefix + "BUDGETS_1_SCOPE", "tenant:acme",
                            prefix + "BUDGETS_1_LIMITS", "6 requests per 1m"))) {
                assertThat(told(context)).contains("problems=[]").doesNotContain("no key");
                assertThat(settings(context).budgets())
                        .extracting(row -> row.text())
                        .containsExactly("tenant", "tenant:acme");
                assertThat(settings(context).budgets().get(0).limits())
                        .extracting(Limit::text)
                        .containsExactly("5 requests per 1m", "10 tokens per 1h");
            }
        }
    }

    @Test
    void aVariableMeansTheDimensionOfTheFileHoweverThatIsSpelled() {
        try (ConfigurableApplicationContext context = withVariables(
                Map.of(
                        "token-budget.identity.costCenter[0]", "literal:file",
                        "token-budget.identity.team-lead[0]", "literal:file",
                        "token-budget.identity.team-lead[1]", "literal:file",
                        "token-budget.identity.of_file", "literal:file"),
                Map.of(
                        "TOKENBUDGET_IDENTITY_COSTCENTER", "literal:variable",
                        "TOKEN_BUDGET_IDENTITY_TEAM_LEAD", "literal:variable"))) {
            assertThat(settings(context).identity())
                    .containsOnlyKeys("agent", "tenant", "costCenter", "team-lead", "of_file");
            for (String dimension : List.of("costCenter", "team-lead", "of_file")) {
                assertThat(settings(context).identity().get(dimension))
                        .as(dimension)
                        .extracting(IdentitySource::toString)
                        .containsExactly(dimension.equals("of_file") ? "literal:file" : "literal:variable");
            }
        }
    }

    @Test
    void aVariableThatMayHaveBeenMeantAsAKeyIsNamed() {
        try (ConfigurableApplicationContext context = withVariables(
                Map.of(),
                Map.of(
                        "TOKENBUDGET_MODE", "enforce",
                        "TOKEN_BUDGET_HOLD", "1m",
                        "TOKEN_BUDGET_ENABLED", "true",
                        "TOKEN_BUDGET_ASPECT_ORDER", "7",
                        "TOKEN_BUDGET_MOED", "observe",
                        "TOKEN_BUDGET_PRICES_GPT4O_INPUT", "2.50",
                        "TOKEN_BUDGET_IDENTITY_TENAT", "literal:x"))) {
            assertThat(settings(context).mode()).isEqualTo(Admission.ENFORCE);
            assertThat(told(context))
                    .contains(
                            "TOKEN_BUDGET_MOED is no key and is ignored: did you mean TOKEN_BUDGET_MODE?",
                            "TOKEN_BUDGET_PRICES_GPT4O_INPUT is no key and is ignored: did you mean"
                                    + " TOKENBUDGET_PRICES_GPT4O_INPUT?",
                            "TOKEN_BUDGET_IDENTITY_TENAT is no key")
                    .doesNotContain("TOKENBUDGET_MODE", "HOLD is", "ENABLED", "ORDER");
        }
    }

    @Test
    void aNameThatWouldLoseCharactersIsAnErrorThatSaysWhatToWrite() {
        try (ConfigurableApplicationContext context = start(
                Nothing.class,
                Map.of(
                        "token-budget.estimates.models.o3*.max-output", "5",
                        "token-budget.estimates.models.llama3:8b.maxOutput", "5",
                        "token-budget.estimates.models.gpt-4.1.max-output", "5",
                        "token-budget.estimates.models[o4*].max-output", "5",
                        "token-budget.prices.gpt-4o*.input", "5",
                        "token-budget.prices.gemini:pro.above.200k.input", "5",
                        "token-budget.prices.claude.above.200k.input", "5"))) {
            assertThat(settings(context).mode()).isEqualTo(Admission.OBSERVE);
            assertThat(told(context))
                    .contains(
                            "estimates.models.o3*",
                            "write [o3*]",
                            "write [llama3:8b]",
                            "prices.gpt-4o*",
                            "[gemini:pro]")
                    .doesNotContain("gpt-4.1", "[o4", "[claude");
        }
    }

    @Test
    void aPlaceholderThatNothingIsKnownOfIsAnErrorThatNamesItsKey() {
        try (ConfigurableApplicationContext context = start(
                Nothing.class,
                Map.of(
                        "known", "1m",
                        "token-budget.hold", "${known}",
                        "token-budget.identity.tenant[0]", "literal:${nope}",
                        "token-budget.identity.agent", "literal:${nope:agent}",
                        "token-budget.budgets[0].scope", "global",
                        "token-budget.budgets[0].limits[0]", "${limit}"))) {
            assertThat(settings(context).mode()).isEqualTo(Admission.OBSERVE);
            assertThat(told(context))
                    .contains("identity.tenant[0]: found \"literal:${nope}\"", "budgets[0].limits")
                    .doesNotContain("known}", "identity.agent");
        }
    }

    @Test
    void aBrokenConfigurationObservesAndTheApplicationStarts() {
        try (ConfigurableApplicationContext context = start(
                Nothing.class,
                Map.of(
                        "token-budget.hold", "soon",
                        "token-budget.holdd", "5m",
                        "token-budget.budgets[0]", "global",
                        "token-budget.budgets[1].scope", "tenant"))) {
            assertThat(settings(context).mode()).isEqualTo(Admission.OBSERVE);
            assertThat(settings(context).budgets()).isEmpty();
        }
    }

    @Test
    void withoutAConfigurationItObservesAndWhenSwitchedOffNothingIsThere() {
        try (ConfigurableApplicationContext context = start(Nothing.class, Map.of())) {
            assertThat(settings(context).mode()).isEqualTo(Admission.OBSERVE);
        }
        try (ConfigurableApplicationContext context = start(Nothing.class, Map.of("token-budget.enabled", "false"))) {
            assertThat(context.getBeanNamesForType(TokenLimiter.class)).isEmpty();
        }
    }

    @Test
    void aLimiterOfTheApplicationsOwnIsUsed() {
        try (ConfigurableApplicationContext context = start(OwnLimiter.class, Map.of())) {
            assertThat(context.getBeanNamesForType(TokenLimiter.class)).containsExactly("own");
            assertThat(TokenBudgets.limiter()).isSameAs(context.getBean("own"));
            assertThat(told(context)).contains("lines=[]");
        }
        try (ConfigurableApplicationContext context =
                start(OwnLimiter.class, Map.of("token-budget.budgets[0].scope", "global"))) {
            assertThat(told(context)).contains("problems=[]", "not in force");
        }
    }

    @Test
    void toolsFindEachKeyDescribed() throws Exception {
        List<String> described = new ArrayList<>();
        for (URL metadata : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                described.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        for (String key : MapSettings.plainKeys()) {
            assertThat(String.join("", described)).contains("\"token-budget." + key + '"');
        }
    }

    private static ConfigurableApplicationContext withVariables(
            Map<String, Object> configuration, Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", configuration));
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
        return Application.withoutWeb(Nothing.class, environment);
    }

    /** The configuration with what the operator is told of it at start-up. */
    private static String told(ConfigurableApplicationContext context) {
        return context.getBean("io.tokenbudget.settings").toString();
    }

    private static Settings settings(ConfigurableApplicationContext context) {
        return context.getBean(DefaultTokenLimiter.class).settings();
    }

    private static ConfigurableApplicationContext start(Class<?> type, Map<String, Object> configuration) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", new LinkedHashMap<>(configuration)));
        return Application.withoutWeb(type, environment);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Nothing {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class OwnLimiter {
        @Bean
        DefaultTokenLimiter own() {
            return TokenLimiters.builder().build();
        }
    }
}
