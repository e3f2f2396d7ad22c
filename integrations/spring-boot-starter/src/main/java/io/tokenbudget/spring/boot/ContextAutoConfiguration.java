package io.tokenbudget.spring.boot;

import io.tokenbudget.core.http.OutgoingContext;
import io.tokenbudget.core.metering.CallMeter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.client.RestClientCustomizer;
import org.springframework.boot.web.client.RestTemplateCustomizer;
import org.springframework.boot.web.reactive.function.client.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What clients built by Spring Boot's builders say to other services of whom they call for. */
@AutoConfiguration(after = TokenBudgetAutoConfiguration.class)
@ConditionalOnProperty(
        prefix = StarterSettings.PREFIX,
        name = {"enabled", "http.enabled"},
        matchIfMissing = true)
public class ContextAutoConfiguration {

    /** For clients that Spring Boot does not build. */
    @Bean("io.tokenbudget.outgoingContext")
    @ConditionalOnMissingBean
    OutgoingContext tokenBudgetOutgoingContext(CallMeter meter) {
        return new OutgoingContext(meter);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.web.client.RestClient",
                "org.springframework.boot.web.client.RestClientCustomizer"
            })
    static class OfBoot3 {
        @Bean("io.tokenbudget.restClients")
        RestClientCustomizer tokenBudgetRestClients(OutgoingContext context) {
            return builder -> {
                if (context.isSent()) {
                    builder.requestInitializer(new ContextInitializer(context));
                }
            };
        }

        @Bean("io.tokenbudget.restTemplates")
        RestTemplateCustomizer tokenBudgetRestTemplates(OutgoingContext context) {
            return template -> {
                if (context.isSent()) {
                    template.getClientHttpRequestInitializers().add(new ContextInitializer(context));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.web.reactive.function.client.WebClient",
                "org.springframework.boot.web.reactive.function.client.WebClientCustomizer"
            })
    static class ReactiveOfBoot3 {
        @Bean("io.tokenbudget.webClients")
        WebClientCustomizer tokenBudgetWebClients(OutgoingContext context) {
            return builder -> {
                if (context.isSent()) {
                    builder.filter(new ContextFilterFunction(context));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.restclient.RestClientCustomizer")
    static class OfBoot4 {
        @Bean("io.tokenbudget.restClients")
        org.springframework.boot.restclient.RestClientCustomizer tokenBudgetRestClients(OutgoingContext context) {
            return builder -> {
                if (context.isSent()) {
                    builder.requestInitializer(new ContextInitializer(context));
                }
            };
        }

        @Bean("io.tokenbudget.restTemplates")
        org.springframework.boot.restclient.RestTemplateCustomizer tokenBudgetRestTemplates(OutgoingContext context) {
            return template -> {
                if (context.isSent()) {
                    template.getClientHttpRequestInitializers().add(new ContextInitializer(context));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.webclient.WebClientCustomizer")
    static class ReactiveOfBoot4 {
        @Bean("io.tokenbudget.webClients")
        org.springframework.boot.webclient.WebClientCustomizer tokenBudgetWebClients(OutgoingContext context) {
            return builder -> {
                if (context.isSent()) {
                    builder.filter(new ContextFilterFunction(context));
                }
            };
        }
    }
}
