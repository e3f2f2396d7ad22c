package io.tokenbudget.integrationtests.springboot;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import io.tokenbudget.TokenBudget;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application with LangChain4j, as its documentation has it for Spring Boot without its starters. */
@SpringBootConfiguration
@EnableAutoConfiguration
class Assistants {
    private static final String KEY = "langchain4j";

    interface Assistant {
        String answer(String question);

        @TokenBudget(agent = "annotated")
        String annotated(String question);
    }

    static class Tools {
        @Tool("Tells what time it is")
        String time() {
            return "noon";
        }
    }

    @Bean
    OpenAiChatModel chat(@Value("${provider}") String provider) {
        return OpenAiChatModel.builder()
                .baseUrl(provider + "/v1")
                .apiKey(KEY)
                .modelName("gpt-4o-mini@tools-2")
                .build();
    }

    @Bean
    OpenAiStreamingChatModel streaming(@Value("${provider}") String provider) {
        return OpenAiStreamingChatModel.builder()
                .baseUrl(provider + "/v1")
                .apiKey(KEY)
                .modelName("gpt-4o-mini")
                .build();
    }

    @Bean
    OpenAiEmbeddingModel embedding(@Value("${provider}") String provider) {
        return OpenAiEmbeddingModel.builder()
                .baseUrl(provider + "/v1")
                .apiKey(KEY)
                .modelName("small")
                .build();
    }

    @Bean
    Assistant assistant(ChatModel model) {
        return AiServices.builder(Assistant.class)
                .chatModel(model)
                .tools(new Tools())
                .build();
    }
}
