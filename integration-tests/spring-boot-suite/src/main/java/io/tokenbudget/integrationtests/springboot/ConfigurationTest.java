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
                        "token-budget.budgets[0].limits[1]", "1M tokens per 1h"))) {
            Settings settings = settings(context);
            assertThat(settings.mode()).isEqualTo(Admission.ENFORCE);
            assertThat(settings.hold()).hasSeconds(90);
            assertThat(settings.estimates().maxOutput("gpt-4.1-mini")).isEqualTo(77);
            assertThat(settings.budgets().get(0).limits())
                    .extracting(Limit::text)
                    .containsExactly("60 requests per 1m", "1M tokens per 1h");
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
