package io.tokenbudget.examples.langchain4jagent;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;

/**
 * An agent with one tool, as LangChain4j's own tutorial has it. It asks about one city after the other until a call
 * fails: {@code java -jar langchain4j-agent.jar http://127.0.0.1:8080/v1}.
 */
public final class WeatherAgent {

    interface Assistant {
        String chat(String question);
    }

    static final class WeatherTool {
        @Tool("Tells today's weather in a city")
        String weather(@P("name of the city") String city) {
            return "It is sunny in " + city + ", 24 degrees.";
        }
    }

    public static void main(String[] args) throws IOException {
        String baseUrl = args.length == 0 ? "http://127.0.0.1:8080/v1" : args[0];
        // The stand-in provider answers as the end of the name says: call a tool once, then answer; always fail.
        Assistant assistant = assistant(baseUrl, "gpt-4o-mini@tools-1");
        Assistant broken = assistant(baseUrl, "gpt-4o-mini@error-500");

        ask(broken, "What is the weather in Rome?");
        boolean answered = true;
        for (int day = 1; answered && day <= 100; day++) {
            answered = ask(assistant, "What is the weather in Paris on day " + day + "?");
        }

        System.out.println("Press Enter to end.");
        System.in.read();
    }

    static Assistant assistant(String baseUrl, String modelName) {
        ChatModel model = OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("langchain4j-agent")
                .modelName(modelName)
                .maxTokens(200)
                .build();
        return AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(new WeatherTool())
                .build();
    }

    static boolean ask(Assistant assistant, String question) {
        try {
            System.out.println(question + " " + assistant.chat(question));
            return true;
        } catch (RuntimeException failure) {
            System.out.println(question + " FAILED: " + failure.getMessage());
            return false;
        }
    }
}
