package io.tokenbudget.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What Spring does on another thread works for whom the thread works that asks for it. */
@AutoConfiguration(after = TokenBudgetAutoConfiguration.class)
@ConditionalOnProperty(prefix = StarterSettings.PREFIX, name = "enabled", matchIfMissing = true)
public class AsyncAutoConfiguration {

    @Bean("io.tokenbudget.followedExecutors")
    static FollowedExecutors tokenBudgetFollowedExecutors() {
        return new FollowedExecutors();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(name = "org.springframework.web.servlet.config.annotation.WebMvcConfigurer")
    static class Servlet {
        @Bean("io.tokenbudget.callables")
        WebMvcConfigurer tokenBudgetCallables() {
            return new WebMvcConfigurer() {
                @Override
                public void configureAsyncSupport(AsyncSupportConfigurer configurer) {
                    configurer.registerCallableInterceptors(new FollowedCallables());
                }
            };
        }
    }
}
