package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.examples.providerstub.ProviderStub;
import org.junit.jupiter.api.DisplayName;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

@DisplayName("A WebFlux endpoint that streams a Spring AI model's answer, in process")
class WebFluxInProcessTest extends WebFluxMatrix {
    private final Tenants tenants = new Tenants();

    @Override
    ProviderStub stub() {
        return tenants.stub;
    }

    @Override
    ChatModel model(String tenant, String scenario) {
        return tenants.model(tenant, scenario);
    }

    @Override
    ToolCallingManager manager() {
        return tenants.manager();
    }

    @Override
    <T> Flux<T> calledBy(String tenant, Flux<T> answer) {
        BudgetContext caller = BudgetContext.builder().tenant(tenant).build();
        return answer.contextWrite(Context.of(BudgetContext.KEY, caller));
    }

    @Override
    long used(String tenant, String unit) {
        return unit.equals("tokens") ? tenants.used(tenant) : tenants.usedOutput(tenant);
    }

    @Override
    void assertComesToRest() {
        tenants.assertComesToRest();
        assertThat(tenants.report().calls().metered())
                .isEqualTo(stub().ledger().calls().size());
    }
}
