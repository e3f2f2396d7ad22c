package io.tokenbudget.spring.boot;

import io.tokenbudget.core.Notices;
import io.tokenbudget.core.http.IncomingContext;
import io.tokenbudget.core.metering.CallMeter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Who calls, by the HTTP request that is served; and the answer to a request that a budget refuses. */
@AutoConfiguration(after = TokenBudgetAutoConfiguration.class)
@ConditionalOnProperty(
        prefix = StarterSettings.PREFIX,
        name = {"enabled", "http.enabled"},
        matchIfMissing = true)
public class HttpAutoConfiguration {

    @Bean("io.tokenbudget.incomingContext")
    @ConditionalOnMissingBean
    IncomingContext tokenBudgetIncomingContext(CallMeter meter, Notices notices, Environment environment) {
        return new IncomingContext(meter, notices, OwnAddresses.areLost(environment));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(name = {"jakarta.servlet.Filter", "org.springframework.web.servlet.HandlerExceptionResolver"})
    static class Servlet {
        @Bean("io.tokenbudget.requestFilter")
        RequestFilter tokenBudgetRequestFilter(CallMeter meter, IncomingContext incoming) {
            return new RequestFilter(meter, incoming);
        }

        @Bean("io.tokenbudget.askers")
        WebMvcConfigurer tokenBudgetAskers(CallMeter meter) {
            return new WebMvcConfigurer() {
                @Override
                public void addInterceptors(InterceptorRegistry registry) {
                    registry.addInterceptor(new Askers(meter)).order(Ordered.LOWEST_PRECEDENCE);
                }
            };
        }

        @Bean("io.tokenbudget.refusalResolver")
        RefusalResolver tokenBudgetRefusalResolver(ApplicationContext context) {
            return new RefusalResolver(context);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(name = "org.springframework.web.server.WebFilter")
    static class Reactive {
        @Bean("io.tokenbudget.requestWebFilter")
        RequestWebFilter tokenBudgetRequestWebFilter(CallMeter meter, IncomingContext incoming) {
            return new RequestWebFilter(meter, incoming);
        }

        @Bean("io.tokenbudget.refusalWebHandler")
        RefusalWebHandler tokenBudgetRefusalWebHandler() {
            return new RefusalWebHandler();
        }
    }
}
