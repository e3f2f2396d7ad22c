package io.tokenbudget.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

@DisplayName("C10: who is logged in goes with the handling of a request")
class ReactorRequestsTest {
    private static final Mono<String> HANDLED =
            Mono.deferContextual(context -> Mono.just("for " + context.getOrDefault(BudgetContext.KEY, "nobody")));

    private final List<String> asked = new ArrayList<>();

    private @Nullable Object context(@Nullable Object principal, @Nullable Object around) {
        asked.add(principal + " within " + around);
        return principal;
    }

    private String handled(Mono<?> principal) {
        return Objects.requireNonNull(ReactorRequests.carrying(HANDLED, principal, this::context)
                .contextWrite(Context.of(BudgetContext.KEY, "header"))
                .block());
    }

    @Test
    void whoIsLoggedInTakesThePlaceOfWhatWasCarried() {
        assertThat(handled(Mono.just("ann"))).isEqualTo("for ann");
        assertThat(asked).containsExactly("ann within header");
    }

    @Test
    void whereNobodyIsLoggedInWhatWasCarriedStays() {
        assertThat(handled(Mono.empty())).isEqualTo("for header");
        assertThat(asked).containsExactly("null within header");
    }

    @Test
    @DisplayName("C9: a login that fails when we ask for it fails nothing")
    void aLoginThatFailsWhenWeAskForItFailsNothing() {
        assertThat(handled(Mono.error(new IllegalStateException("no session store"))))
                .isEqualTo("for header");
        assertThat(asked).containsExactly("null within header");
    }
}
