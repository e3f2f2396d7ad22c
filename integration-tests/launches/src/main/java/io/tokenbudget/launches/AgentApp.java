package io.tokenbudget.launches;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.lang.reflect.Method;

/**
 * An AI service with a tool that asks a model itself; where LangChain4j can run tools concurrently it does. Asked once for
 * each of the models named on the command line: {@code AgentApp http://127.0.0.1:8080/v1 tools-2 gpt-4o-mini}.
 */
public final class AgentApp {
    private AgentApp() {}

    /** What is asked. */
    public interface Assistant {
        /** Answers. */
        String answer(String question);
    }

    /** The tool. */
    public record Colleague(OpenAiChatModel model) {
        /** Asks the other model. */
        @Tool("asks a colleague")
        public String ask(String question) {
            return model.chat("Colleague, what about this?");
        }
    }

    /** Runs the application. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        for (int i = 1; i < args.length; i++) {
            System.out.println(args[i] + " -> " + answer(args[0], args[i]));
        }
        System.out.println("done");
        while (System.in.read() >= 0) {}
    }

    private static String answer(String baseUrl, String modelName) throws ReflectiveOperationException {
        AiServices<Assistant> service = AiServices.builder(Assistant.class)
                .chatModel(model(baseUrl, modelName))
                .tools(new Colleague(model(baseUrl, "gpt-4o-mini")));
        for (Method method : AiServices.class.getMethods()) {
            if (method.getName().equals("executeToolsConcurrently") && method.getParameterCount() == 0) {
                method.invoke(service);
            }
        }
        try {
            return "answer " + service.build().answer("How is the weather?");
        } catch (RuntimeException failure) {
            return failure.getClass().getSimpleName() + " " + failure.getMessage();
        }
    }

    private static OpenAiChatModel model(String baseUrl, String name) {
        return OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(name)
                .maxTokens(20)
                .maxRetries(0)
                .build();
    }
}
