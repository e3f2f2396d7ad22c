package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.matrix.Way;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.publisher.Flux;

/**
 * Each tenant has a model of its own here, and so a budget: the application under the agent has none of our classes to name a
 * caller with. What the header of the request says is charged beside it.
 */
@DisplayName("A WebFlux endpoint that streams a Spring AI model's answer, under the agent")
class WebFluxAgentTest extends WebFluxMatrix {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Way way = new UnderAgent();
    private final ProviderStub stub = ProviderStub.start(0);

    @Override
    ProviderStub stub() {
        return stub;
    }

    @Override
    ChatModel model(String tenant, String scenario) {
        String name = tenant + '/' + scenario;
        ModelSpec spec = new ModelSpec(Provider.OPENAI, stub.baseUrl(), tenant, name, null, 0, PATIENCE);
        return Generation.present().model(spec, manager());
    }

    @Override
    ToolCallingManager manager() {
        return ToolCallingManager.builder().build();
    }

    @Override
    <T> Flux<T> calledBy(String tenant, Flux<T> answer) {
        return answer;
    }

    @Override
    long used(String tenant, String unit) {
        return way.budgets().used("model:" + tenant + '/', unit);
    }

    @Override
    void assertComesToRest() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (way.budgets().reservations().held() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(way.budgets().reservations().held()).as("held").isZero();
        assertThat(way.budgets().reservations().expired()).as("expired").isZero();
        assertThat(way.budgets().calls().unmetered()).as("unmetered").isZero();
        assertThat(way.budgets().used("user:", "tokens"))
                .as("charged to whom the header names")
                .isEqualTo(way.budgets().used("model:", "tokens"))
                .isPositive();
        assertThat(way.budgets().calls().metered())
                .as("metered")
                .isEqualTo(stub.ledger().calls().size());
    }
}
