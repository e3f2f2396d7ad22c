package io.tokenbudget.integrationtests.springboot.services;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.spring.AiService;
import dev.langchain4j.service.spring.AiServiceWiringMode;
import io.tokenbudget.TokenBudget;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import reactor.core.publisher.Flux;

/** Models of LangChain4j's starter, by its properties, and AI services by its annotation. */
@SpringBootConfiguration
@EnableAutoConfiguration
@ComponentScan
public class Services {

    /** Asked in each way that the starter knows. */
    @AiService(
            wiringMode = AiServiceWiringMode.EXPLICIT,
            chatModel = "openAiChatModel",
            streamingChatModel = "openAiStreamingChatModel",
            tools = "clock")
    public interface Clerk {
        String answer(String question);

        @TokenBudget(agent = "annotated")
        String annotated(String question);
    }

    /** Without tools. */
    @AiService(
            wiringMode = AiServiceWiringMode.EXPLICIT,
            chatModel = "openAiChatModel",
            streamingChatModel = "openAiStreamingChatModel")
    public interface Reader {
        Flux<String> read(String question);
    }

    /** A tool. */
    public static class Clock {
        @Tool("Tells what time it is")
        String time() {
            return "noon";
        }
    }

    @Bean
    Clock clock() {
        return new Clock();
    }
}
