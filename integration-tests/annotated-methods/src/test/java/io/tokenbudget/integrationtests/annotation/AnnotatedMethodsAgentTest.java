package io.tokenbudget.integrationtests.annotation;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import io.tokenbudget.testkit.annotation.AnnotatedPlanner;
import io.tokenbudget.testkit.annotation.AnnotationSuite;
import io.tokenbudget.testkit.annotation.Model;
import io.tokenbudget.testkit.annotation.Planner;
import io.tokenbudget.testkit.annotation.Searcher;
import io.tokenbudget.testkit.annotation.WronglyAnnotated;
import io.tokenbudget.testkit.matrix.UnderAgent;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.net.URI;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

@DisplayName("@TokenBudget by the agent of this JVM, in an application with the annotations alone")
class AnnotatedMethodsAgentTest extends AnnotationSuite {
    private static final BudgetsEndpoint ENDPOINT = new BudgetsEndpoint(
            URI.create(Objects.requireNonNull(System.getProperty(UnderAgent.PROPERTY), UnderAgent.PROPERTY)));

    private final ChatModel chat = new HundredTokens();
    private final Model model = () -> chat.chat("question");

    private static final class HundredTokens implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            return ChatResponse.builder()
                    .aiMessage(AiMessage.from("answer"))
                    .tokenUsage(new TokenUsage(60, 40))
                    .build();
        }
    }

    @Override
    protected Planner planner() {
        return new AnnotatedPlanner(model, new Searcher(model));
    }

    @Override
    protected String askOutside() {
        return model.ask();
    }

    @Override
    protected BudgetsSnapshot budgets() {
        return ENDPOINT.read();
    }

    @Override
    protected void useWronglyAnnotated() {
        String unused = new WronglyAnnotated().ask("question");
    }
}
