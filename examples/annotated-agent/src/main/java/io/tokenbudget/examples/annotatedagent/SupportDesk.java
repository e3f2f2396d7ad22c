package io.tokenbudget.examples.annotatedagent;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudget;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * A support desk for several customers, which says in one line each whom its methods work for and what a run of them may use:
 * {@code java -javaagent:token-budget-agent.jar=config=budgets.yaml -jar annotated-agent.jar http://127.0.0.1:8080/v1}.
 */
public final class SupportDesk {
    record Ticket(String customer, String question) {}

    /** Says what it is by itself; whose ticket it works on, the desk says. */
    interface Researcher {
        @TokenBudget(agent = "researcher")
        String find(String question);
    }

    /** Never stops looking things up. */
    interface Digger {
        @TokenBudget(agent = "digger", maxTokens = 700)
        String dig(String question);
    }

    interface Narrator {
        @TokenBudget(agent = "narrator", tenant = "{0}")
        TokenStream tell(String customer);
    }

    static final class Archive {
        @Tool("Looks a case up")
        String lookUp(@P("what to look for") String what) {
            return "Nothing is known of " + what + ".";
        }
    }

    private final Researcher researcher;
    private final Digger digger;
    private final Narrator narrator;

    SupportDesk(String baseUrl) {
        researcher = AiServices.builder(Researcher.class)
                .chatModel(model(baseUrl, "gpt-4o-mini@tools-1"))
                .tools(new Archive())
                .build();
        digger = AiServices.builder(Digger.class)
                .chatModel(model(baseUrl, "gpt-4o-mini@tools-forever"))
                .tools(new Archive())
                .build();
        narrator = AiServices.builder(Narrator.class)
                .streamingChatModel(OpenAiStreamingChatModel.builder()
                        .baseUrl(baseUrl)
                        .apiKey("annotated-agent")
                        .modelName("gpt-4o-mini")
                        .maxTokens(200)
                        .build())
                .build();
    }

    private static OpenAiChatModel model(String baseUrl, String name) {
        return OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("annotated-agent")
                .modelName(name)
                .maxTokens(200)
                .build();
    }

    @TokenBudget(agent = "desk", tenant = "{ticket.customer}", maxTokens = 50_000, fallback = "later")
    String handle(Ticket ticket) {
        return researcher.find(ticket.question());
    }

    String later(Ticket ticket, LimitExceededException refused) {
        return "We come back to you: " + refused.scope() + " is used up.";
    }

    @TokenBudget(tenant = "{ticket.customer}")
    private String dig(Ticket ticket) {
        return digger.dig(ticket.question());
    }

    String tell(String customer) {
        CompletableFuture<String> told = new CompletableFuture<>();
        narrator.tell(customer)
                .onPartialResponse(piece -> {})
                .onCompleteResponse(
                        response -> told.complete(response.aiMessage().text()))
                .onError(told::completeExceptionally)
                .start();
        return told.join();
    }

    public static void main(String[] args) throws IOException {
        SupportDesk desk = new SupportDesk(args.length == 0 ? "http://127.0.0.1:8080/v1" : args[0]);
        for (int day = 1; day <= 12; day++) {
            System.out.println("acme: " + desk.handle(new Ticket("acme", "Where is parcel " + day + "?")));
        }
        System.out.println("zen: " + desk.handle(new Ticket("zen", "Where is my parcel?")));
        try {
            System.out.println("dig: " + desk.dig(new Ticket("deep", "Why is it late?")));
        } catch (RuntimeException refused) {
            System.out.println("dig: " + refused.getClass().getSimpleName() + ": " + refused.getMessage());
        }
        System.out.println("tell: " + desk.tell("story"));
        System.out.println("Press Enter to end.");
        System.in.read();
    }
}
