package io.tokenbudget.integrationtests.springboot;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

/** A service, on Spring MVC as well as on WebFlux, that is open to a user with a password and to everybody with a token. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Front.Platform.class, Front.Asking.class, Secured.OnServlets.class, Secured.OnWebFlux.class})
class Secured {
    private static UserDetails ann() {
        return User.withUsername("ann").password("{noop}secret").roles("USER").build();
    }

    /** Believes every token, as no application should: its text is who has it. */
    private static Jwt jwt(String token) {
        return Jwt.withTokenValue(token)
                .header("alg", "none")
                .subject(token)
                .claim("tenant", "tenant-of-" + token)
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {
        @Bean
        SecurityFilterChain everybodyHasALogin(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .oauth2ResourceServer(tokens -> tokens.jwt(Customizer.withDefaults()))
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(ann());
        }

        @Bean
        JwtDecoder tokens() {
            return Secured::jwt;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {
        @Bean
        SecurityWebFilterChain everybodyHasALogin(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .oauth2ResourceServer(tokens -> tokens.jwt(Customizer.withDefaults()))
                    .build();
        }

        @Bean
        ReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(ann());
        }

        @Bean
        ReactiveJwtDecoder tokens() {
            return token -> Mono.just(jwt(token));
        }
    }
}
