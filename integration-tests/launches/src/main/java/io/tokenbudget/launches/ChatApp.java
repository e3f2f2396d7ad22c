package io.tokenbudget.launches;

import dev.langchain4j.model.openai.OpenAiChatModel;
import java.io.IOException;
import java.time.Duration;

/**
 * Calls each of the models named on the command line once, prints what came back, and waits for the end of its input:
 * {@code ChatApp http://127.0.0.1:8080/v1 key gpt-4o-mini error-500}.
 */
public final class ChatApp {
    private ChatApp() {}

    /** Runs the application. */
    public static void main(String[] args) throws IOException {
        System.out.println("sees" + Sees.of(ChatApp.class.getClassLoader()));
        run(args);
        System.out.println("done");
        while (System.in.read() >= 0) {}
    }

    /** Calls the models. Public for a loader that knows this class by name alone. */
    public static void run(String[] args) {
        for (int i = 2; i < args.length; i++) {
            System.out.println(args[i] + " -> " + call(args[0], args[1], args[i]));
        }
    }

    private static String call(String baseUrl, String key, String modelName) {
        OpenAiChatModel model = OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey(key)
                .modelName(modelName)
                .maxTokens(100)
                .maxRetries(0)
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            return "answer " + model.chat("How is the weather?");
        } catch (RuntimeException failure) {
            return failure.getClass().getSimpleName() + " " + failure.getMessage();
        }
    }
}
