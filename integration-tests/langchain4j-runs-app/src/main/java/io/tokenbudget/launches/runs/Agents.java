package io.tokenbudget.launches.runs;

import dev.langchain4j.agentic.Agent;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.agentic.UntypedAgent;
import dev.langchain4j.agentic.agent.ErrorRecoveryResult;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Agents of agents, each of which asks its model once. */
final class Agents {
    private static final Map<String, Object> INPUT = Map.of("topic", "weather");
    private static final int MANY = 12;

    private Agents() {}

    /** A leaf. */
    public interface Writer {
        @UserMessage("Write about {{topic}}")
        @Agent("writes")
        String write(@V("topic") String topic);
    }

    /** A leaf whose answer flows. */
    public interface StreamingWriter {
        @UserMessage("Write about {{topic}}")
        @Agent("writes")
        TokenStream write(@V("topic") String topic);
    }

    static void addTo(Map<String, Scenario> scenarios) {
        scenarios.put("agent", models -> writer(models, "one", false).write("weather"));
        scenarios.put(
                "sequence",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(writers(models, MANY, false))
                        .build()));
        scenarios.put(
                "short-sequence",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(writers(models, 3, false))
                        .build()));
        scenarios.put(
                "loop",
                models -> ask(AgenticServices.loopBuilder()
                        .subAgents(writers(models, 1, false))
                        .maxIterations(MANY)
                        .build()));
        scenarios.put(
                "parallel",
                models -> ask(AgenticServices.parallelBuilder()
                        .subAgents(writers(models, MANY, false))
                        .build()));
        scenarios.put("parallel-with-executor", Agents::parallelWithExecutor);
        scenarios.put(
                "async",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(writers(models, MANY, true))
                        .output(scope -> IntStream.range(0, MANY)
                                .mapToObj(i -> scope.readState("text" + i, ""))
                                .toList())
                        .build()));
        scenarios.put(
                "streaming",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(IntStream.range(0, MANY)
                                .mapToObj(i -> AgenticServices.agentBuilder(StreamingWriter.class)
                                        .streamingChatModel(models.streaming("ok"))
                                        .outputKey("text" + i)
                                        .build())
                                .toArray())
                        .output(scope -> IntStream.range(0, MANY)
                                .mapToObj(i -> scope.readState("text" + i, ""))
                                .toList())
                        .build()));
        scenarios.put(
                "nested",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(
                                AgenticServices.sequenceBuilder()
                                        .subAgents(writers(models, 2, false))
                                        .build(),
                                AgenticServices.parallelBuilder()
                                        .subAgents(writers(models, MANY, false))
                                        .build())
                        .build()));
        scenarios.put("supervisor", Agents::supervisor);
        scenarios.put(
                "retrying-error-handler",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(writers(models, MANY, false))
                        .errorHandler(error -> ErrorRecoveryResult.retry())
                        .build()));
        scenarios.put(
                "answering-error-handler",
                models -> ask(AgenticServices.sequenceBuilder()
                        .subAgents(writers(models, MANY, false))
                        .errorHandler(error -> ErrorRecoveryResult.result("nothing"))
                        .build()));
    }

    private static Object supervisor(Models models) {
        return AgenticServices.supervisorBuilder()
                .chatModel(new Planner(models.chat()))
                .subAgents(writer(models, "text", false))
                .maxAgentsInvocations(MANY)
                .build()
                .invoke("Write about the weather");
    }

    /** Asks its model, and always wants the writer to be called next. */
    record Planner(ChatModel model) implements ChatModel {
        private static final Pattern WRITER = Pattern.compile("write[\\w$]*");

        @Override
        public ChatResponse doChat(ChatRequest request) {
            ChatResponse answer = model.chat(
                    ChatRequest.builder().messages(request.messages()).build());
            Matcher writer = WRITER.matcher(request.messages().toString());
            String name = writer.find() ? writer.group() : "write";
            String next = "{\"agentName\": \"" + name + "\", \"arguments\": {\"topic\": \"weather\"}}";
            return ChatResponse.builder()
                    .aiMessage(AiMessage.from(next))
                    .metadata(answer.metadata())
                    .build();
        }
    }

    private static Object parallelWithExecutor(Models models) {
        ExecutorService executor = Executors.newFixedThreadPool(MANY);
        try {
            return ask(AgenticServices.parallelBuilder()
                    .subAgents(writers(models, MANY, false))
                    .executor(executor)
                    .build());
        } finally {
            executor.shutdown();
        }
    }

    private static Object[] writers(Models models, int number, boolean async) {
        return IntStream.range(0, number)
                .mapToObj(i -> writer(models, "text" + i, async))
                .toArray();
    }

    private static Writer writer(Models models, String outputKey, boolean async) {
        return AgenticServices.agentBuilder(Writer.class)
                .chatModel(models.chat())
                .outputKey(outputKey)
                .async(async)
                .build();
    }

    private static Object ask(UntypedAgent agent) {
        return String.valueOf(agent.invoke(INPUT));
    }
}
