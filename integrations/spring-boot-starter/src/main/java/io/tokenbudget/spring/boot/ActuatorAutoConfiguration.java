package io.tokenbudget.spring.boot;

import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.metering.Metering;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The actuator's endpoint {@code tokenbudgets} and health, whose interface is another in Spring Boot 4. */
@AutoConfiguration(after = TokenBudgetAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.annotation.Endpoint")
@ConditionalOnProperty(prefix = StarterSettings.PREFIX, name = "enabled", matchIfMissing = true)
public class ActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
    static class Budgets {
        @Bean("io.tokenbudget.endpoint")
        @ConditionalOnAvailableEndpoint
        @ConditionalOnMissingBean
        BudgetsEndpoint tokenBudgetsEndpoint(Metering metering, MeteredBeans models) {
            return new BudgetsEndpoint(metering, models);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.token-budget.enabled", matchIfMissing = true)
    static class HealthOfBoot3 {
        @Bean
        @ConditionalOnMissingBean(name = "tokenBudgetHealthIndicator")
        org.springframework.boot.actuate.health.HealthIndicator tokenBudgetHealthIndicator(
                CallMeter meter, StarterSettings settings, MeteredBeans models) {
            return () -> {
                var health = settings.problems().isEmpty()
                        ? org.springframework.boot.actuate.health.Health.up()
                        : org.springframework.boot.actuate.health.Health.unknown();
                return health.withDetails(HealthDetails.of(meter.settings(), settings, models))
                        .build();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.token-budget.enabled", matchIfMissing = true)
    static class HealthOfBoot4 {
        @Bean
        @ConditionalOnMissingBean(name = "tokenBudgetHealthIndicator")
        org.springframework.boot.health.contributor.HealthIndicator tokenBudgetHealthIndicator(
                CallMeter meter, StarterSettings settings, MeteredBeans models) {
            return () -> {
                var health = settings.problems().isEmpty()
                        ? org.springframework.boot.health.contributor.Health.up()
                        : org.springframework.boot.health.contributor.Health.unknown();
                return health.withDetails(HealthDetails.of(meter.settings(), settings, models))
                        .build();
            };
        }
    }
}
