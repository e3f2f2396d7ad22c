package io.tokenbudget.launches.runs;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.InputGuardrail;
import dev.langchain4j.guardrail.InputGuardrailResult;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.guardrail.config.OutputGuardrailsConfig;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** AI services with guardrails and tools that ask models themselves. */
final class Services {
    private static final String QUESTION = "How is the weather?";

    private Services() {}

    /** Answers at once. */
    interface Assistant {
        String answer(String question);
    }

    /** Answers as it flows. */
    interface StreamingAssistant {
        TokenStream answer(String question);
    }

    static void addTo(Map<String, Scenario> scenarios) {
        scenarios.put("tool", Services::tool);
        scenarios.put("tool-error-handler", Services::toolErrorHandler);
        scenarios.put("concurrent-tools", Services::concurrentTools);
        scenarios.put("sixteen-concurrent-tools", Services::sixteenConcurrentTools);
        scenarios.put("endless-tools", Services::endlessTools);
        scenarios.put("endless-tools-streamed", Services::endlessToolsStreamed);
        scenarios.put("sub-agent-in-tool", Services::subAgentInTool);
        scenarios.put("streamed-concurrent-tools", Services::streamedConcurrentTools);
        scenarios.put("fallback", models -> new Fallback(models.chat("error-500"), models.chat()).chat(QUESTION));
        scenarios.put("fallback-on-purpose", models -> new Fallback(models.refused(), models.chat()).chat(QUESTION));
        scenarios.put("input-guardrail", Services::inputGuardrail);
        scenarios.put("output-guardrail", Services::outputGuardrail);
        scenarios.put("reprompts", models -> reprompting(models, 2, 0));
        scenarios.put("endless-reprompts", models -> reprompting(models, Integer.MAX_VALUE, 0));
        scenarios.put("streamed-reprompt", Services::streamedReprompt);
        scenarios.put("endless-stream", Services::endlessStream);
        scenarios.put("streamed-reprompt-that-is-endless", Services::streamedRepromptThatIsEndless);
    }

    /** A tool that asks a model. */
    record Colleague(ChatModel model) {
        @Tool("asks a colleague")
        String ask(String question) {
            return model.chat("Colleague, what about this?");
        }
    }

    private static AiServices<Assistant> withTool(Models models, String answers, ChatModel asked) {
        return AiServices.builder(Assistant.class)
                .chatModel(models.chat(answers))
                .tools(new Colleague(asked));
    }

    private static Object tool(Models models) {
        return withTool(models, "tools-1", models.refused()).build().answer(QUESTION);
    }

    private static Object toolErrorHandler(Models models) {
        return withTool(models, "tools-1", models.refused())
                .toolExecutionErrorHandler((error, context) -> ToolErrorHandlerResult.text("Nobody is there."))
                .build()
                .answer(QUESTION);
    }

    private static Object concurrentTools(Models models) {
        return withTool(models, "tools-parallel", models.refused())
                .executeToolsConcurrently()
                .build()
                .answer(QUESTION);
    }

    private static Object streamedConcurrentTools(Models models) throws Exception {
        return Waiting.forEnd(AiServices.builder(StreamingAssistant.class)
                .streamingChatModel(models.streaming("tools-parallel"))
                .tools(new Colleague(models.refused()))
                .executeToolsConcurrently()
                .build()
                .answer(QUESTION));
    }

    /** Asks another model when the first fails, for whatever reason. */
    record Fallback(ChatModel first, ChatModel second) implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            ChatRequest messages =
                    ChatRequest.builder().messages(request.messages()).build();
            try {
                return first.chat(messages);
            } catch (RuntimeException failed) {
                return second.chat(messages);
            }
        }
    }

    private static Object sixteenConcurrentTools(Models models) {
        return withTool(models, "tools-parallel-16", models.chat())
                .executeToolsConcurrently()
                .build()
                .answer(QUESTION);
    }

    private static Object endlessTools(Models models) {
        return AiServices.builder(Assistant.class)
                .chatModel(models.chat("tools-forever"))
                .tools(new Weather())
                .build()
                .answer(QUESTION);
    }

    private static Object endlessToolsStreamed(Models models) throws Exception {
        return Waiting.forEnd(AiServices.builder(StreamingAssistant.class)
                .streamingChatModel(models.streaming("tools-forever"))
                .tools(new Weather())
                .build()
                .answer(QUESTION));
    }

    /** A tool that asks nobody. */
    static final class Weather {
        @Tool("the weather")
        String weather(String town) {
            return "Sunny";
        }
    }

    /** A tool that asks another AI service, whose own tool meets the refusal. */
    record Expert(Assistant service) {
        @Tool("asks an expert")
        String ask(String question) {
            return service.answer("Expert, what about this?");
        }
    }

    private static Object subAgentInTool(Models models) {
        Assistant expert = withTool(models, "tools-1", models.refused()).build();
        return AiServices.builder(Assistant.class)
                .chatModel(models.chat("tools-1"))
                .tools(new Expert(expert))
                .build()
                .answer(QUESTION);
    }

    private static Object inputGuardrail(Models models) {
        ChatModel judge = models.refused();
        return AiServices.builder(Assistant.class)
                .chatModel(models.chat())
                .inputGuardrails(new InputGuardrail() {
                    @Override
                    public InputGuardrailResult validate(UserMessage message) {
                        judge.chat("Is that harmless?");
                        return success();
                    }
                })
                .build()
                .answer(QUESTION);
    }

    private static Object outputGuardrail(Models models) {
        ChatModel judge = models.refused();
        return AiServices.builder(Assistant.class)
                .chatModel(models.chat())
                .outputGuardrails(new OutputGuardrail() {
                    @Override
                    public OutputGuardrailResult validate(AiMessage message) {
                        judge.chat("Is that harmless?");
                        return success();
                    }
                })
                .outputGuardrailsConfig(
                        OutputGuardrailsConfig.builder().maxRetries(50).build())
                .build()
                .answer(QUESTION);
    }

    /** Asks again a few times, after asking {@code judge} as often as said. */
    private static final class Again implements OutputGuardrail {
        private final int times;
        private final int questions;
        private final ChatModel judge;
        private final AtomicInteger asked = new AtomicInteger();

        Again(int times, int questions, ChatModel judge) {
            this.times = times;
            this.questions = questions;
            this.judge = judge;
        }

        @Override
        public OutputGuardrailResult validate(AiMessage message) {
            for (int i = 0; i < questions; i++) {
                judge.chat("Is that good enough?");
            }
            return asked.getAndIncrement() < times ? reprompt("not good enough", "Once more, please.") : success();
        }
    }

    private static Object reprompting(Models models, int times, int questions) {
        return AiServices.builder(Assistant.class)
                .chatModel(models.chat())
                .outputGuardrails(new Again(times, questions, models.chat()))
                .outputGuardrailsConfig(
                        OutputGuardrailsConfig.builder().maxRetries(50).build())
                .build()
                .answer(QUESTION);
    }

    /** The service has a streaming model only, so that LangChain4j waits for the second answer. */
    private static Object streamedReprompt(Models models) throws Exception {
        return Waiting.forEnd(AiServices.builder(StreamingAssistant.class)
                .streamingChatModel(models.streaming("ok"))
                .outputGuardrails(new Again(1, 3, models.chat()))
                .build()
                .answer(QUESTION));
    }

    private static Object endlessStream(Models models) throws Exception {
        return Waiting.forEnd(AiServices.builder(StreamingAssistant.class)
                .streamingChatModel(models.unbounded("endless"))
                .build()
                .answer(QUESTION));
    }

    /** Another model answers the second question, and does not come to an end. */
    private static Object streamedRepromptThatIsEndless(Models models) throws Exception {
        return Waiting.forEnd(AiServices.builder(StreamingAssistant.class)
                .streamingChatModel(
                        new OneAfterTheOther(models.streaming("ok"), models.unbounded("endless"), new AtomicInteger()))
                .outputGuardrails(new Again(1, 0, models.chat()))
                .build()
                .answer(QUESTION));
    }

    /** The first call goes to one model, all others to another. */
    record OneAfterTheOther(StreamingChatModel first, StreamingChatModel then, AtomicInteger calls)
            implements StreamingChatModel {
        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            ChatRequest messages =
                    ChatRequest.builder().messages(request.messages()).build();
            (calls.getAndIncrement() == 0 ? first : then).chat(messages, handler);
        }
    }
}
