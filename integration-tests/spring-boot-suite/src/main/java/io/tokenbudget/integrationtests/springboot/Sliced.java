package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.TokenLimiter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose web layer is tested by itself. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(Sliced.Desk.class)
class Sliced {
    @RestController
    static class Desk {
        private final TokenLimiter limiter;

        Desk(TokenLimiter limiter) {
            this.limiter = limiter;
        }

        @GetMapping("/refused")
        String refused() {
            return limiter.reserve("desk", "acme", 100).id();
        }
    }
}
