package io.tokenbudget.integrationtests.springboot;

import io.tokenbudget.TokenBudget;
import java.util.Map;
import java.util.function.Function;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application in which all that can charge, begin a run or name a caller is inside of each other. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Together.Researcher.class, Together.Searcher.class})
class Together {
    private static final String QUESTION = "What do we know of it?";

    /** What each way asks, for a tenant. */
    record Ways(Map<String, Function<String, String>> byName) {}

    /** Whoever is asked asks a model, and is an agent and a tool. */
    static class Searcher {
        private final ChatClient client;

        Searcher(ChatClient.Builder builder) {
            this.client = builder.build();
        }

        @TokenBudget(agent = "searcher", tool = "search")
        public String search() {
            return text(client.prompt(QUESTION).call().content());
        }

        @TokenBudget(agent = "searcher", tool = "search")
        public Mono<String> searchLater() {
            return whole(client.prompt(QUESTION).stream().content());
        }
    }

    static class Researcher {
        private final ChatClient client;
        private final ChatModel model;
        private final Searcher searcher;
        private final ToolCallback tool;

        Researcher(ChatClient.Builder builder, ChatModel model, Searcher searcher) {
            this.client = builder.build();
            this.model = model;
            this.searcher = searcher;
            this.tool = FunctionToolCallback.builder("search", (Topic topic) -> searcher.search())
                    .description("Searches")
                    .inputType(Topic.class)
                    .build();
        }

        @TokenBudget(agent = "researcher", tenant = "{tenant}", runId = "{tenant}", maxTokens = 100_000)
        public String clientAndModel(String tenant) {
            return client.prompt(QUESTION).call().content() + model.call(QUESTION);
        }

        @TokenBudget(agent = "researcher", tenant = "{tenant}", runId = "{tenant}", maxTokens = 100_000)
        public String nestedBean(String tenant) {
            return client.prompt(QUESTION).call().content() + searcher.search();
        }

        @TokenBudget(agent = "researcher", tenant = "{tenant}", runId = "{tenant}", maxTokens = 100_000)
        public String toolLoop(String tenant) {
            return text(client.prompt(QUESTION).toolCallbacks(tool).call().content());
        }

        @TokenBudget(
                agent = "researcher",
                tenant = "{tenant}",
                runId = "{tenant}",
                maxTokens = 100_000,
                reserve = 5_000)
        public String heldUpFront(String tenant) {
            return toolLoop(tenant);
        }

        @TokenBudget(agent = "researcher", tenant = "{tenant}", runId = "{tenant}", maxTokens = 100_000)
        public Flux<String> stream(String tenant) {
            return client.prompt(QUESTION).stream().content();
        }

        @TokenBudget(agent = "researcher", tenant = "{tenant}", runId = "{tenant}", maxTokens = 100_000)
        public Flux<String> streamAndNestedBean(String tenant) {
            return client.prompt(QUESTION).stream().content().concatWith(searcher.searchLater());
        }

        @TokenBudget(agent = "researcher", tenant = "{tenant}", runId = "{tenant}", maxTokens = 100_000)
        public Flux<String> streamedToolLoop(String tenant) {
            return client.prompt(QUESTION).toolCallbacks(tool).stream().content();
        }
    }

    /** What the tool is asked. */
    public record Topic(String name) {}

    /** By name of the way. */
    @Bean
    Ways ways(Researcher researcher) {
        return new Ways(Map.of(
                "client-and-model", researcher::clientAndModel,
                "nested-bean", researcher::nestedBean,
                "tool-loop", researcher::toolLoop,
                "held-up-front", researcher::heldUpFront,
                "stream", tenant -> text(whole(researcher.stream(tenant)).block()),
                "stream-and-nested-bean",
                        tenant -> text(
                                whole(researcher.streamAndNestedBean(tenant)).block()),
                "streamed-tool-loop",
                        tenant ->
                                text(whole(researcher.streamedToolLoop(tenant)).block())));
    }

    private static Mono<String> whole(Flux<String> pieces) {
        return pieces.collectList().map(all -> String.join("", all));
    }

    private static String text(Object answer) {
        return String.valueOf(answer);
    }
}
