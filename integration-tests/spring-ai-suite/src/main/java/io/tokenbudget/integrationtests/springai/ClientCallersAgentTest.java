package io.tokenbudget.integrationtests.springai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.matrix.ModelSpec;
import io.tokenbudget.testkit.matrix.Provider;
import io.tokenbudget.testkit.matrix.UnderAgent;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.model.tool.ToolCallingManager;
import reactor.core.scheduler.Schedulers;

@Tag("accounting-matrix")
@Tag("callers")
@DisplayName("C10 who is calling, as advisor parameters of Spring AI's ChatClient say it, under the agent")
class ClientCallersAgentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final UnderAgent way = new UnderAgent();
    private final ProviderStub stub = ProviderStub.start(0);

    @AfterEach
    void stop() {
        stub.close();
    }

    private ChatClient client(String project) {
        ModelSpec spec = new ModelSpec(Provider.OPENAI, stub.baseUrl(), project, project + "/ok", null, 0, PATIENCE);
        ToolCallingManager manager = ToolCallingManager.builder().build();
        return Generation.present().client(Generation.present().model(spec, manager), manager);
    }

    private void assertChargedTo(String project) {
        assertThat(way.budgets().used("project:" + project, "tokens"))
                .isEqualTo(stub.ledger().billed(project).totalTokens())
                .isPositive();
    }

    @Test
    void ofABlockingCall() {
        String answer = client("apollo")
                .prompt()
                .user("Who pays?")
                .advisors(advisors -> advisors.param("project", "apollo"))
                .call()
                .content();

        assertThat(answer).isNotBlank();
        assertChargedTo("apollo");
    }

    @Test
    void ofAStreamThatIsSubscribedToOnAnotherThread() {
        String answer = Objects.requireNonNull(
                        client("gemini")
                                .prompt()
                                .user("Who pays?")
                                .advisors(advisors -> advisors.param("project", "gemini"))
                                .stream()
                                .content()
                                .subscribeOn(Schedulers.boundedElastic())
                                .collectList()
                                .block(PATIENCE))
                .toString();

        assertThat(answer).isNotBlank();
        assertChargedTo("gemini");
    }
}
