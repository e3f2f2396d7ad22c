package org.example;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;

/** Calls an OpenAI model through LangChain4j: {@code <base URL> <model>:<times>... [<address to print>]}. */
public final class LangChain4jApp {
    private LangChain4jApp() {}

    public static void main(String[] args) throws Exception {
        for (int i = 1; i < args.length; i++) {
            if (args[i].startsWith("http:")) {
                System.out.println(Web.get(args[i]));
            } else {
                String[] modelAndTimes = args[i].split(":", -1);
                call(args[0], modelAndTimes[0], Integer.parseInt(modelAndTimes[1]));
            }
        }
    }

    private static void call(String baseUrl, String model, int times) {
        for (int i = 0; i < times; i++) {
            try {
                if (model.equals("embedding")) {
                    embedding(baseUrl, model);
                } else {
                    System.out.println("answer " + chat(baseUrl, model).chat("question"));
                }
            } catch (RuntimeException thrown) {
                System.out.println("thrown " + thrown.getClass().getName() + ": " + thrown.getMessage());
            }
        }
    }

    private static ChatModel chat(String baseUrl, String model) {
        return OpenAiChatModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(model)
                .maxRetries(0)
                .build();
    }

    private static void embedding(String baseUrl, String model) {
        OpenAiEmbeddingModel.builder()
                .baseUrl(baseUrl)
                .apiKey("key")
                .modelName(model)
                .maxRetries(0)
                .build()
                .embed("text");
    }
}
