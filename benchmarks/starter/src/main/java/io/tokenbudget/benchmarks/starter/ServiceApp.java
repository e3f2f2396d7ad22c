package io.tokenbudget.benchmarks.starter;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A small service: a web server, a model, a client of it. Leaves when it is ready. */
@SpringBootApplication
public class ServiceApp {

    @Bean
    ChatClient client(ChatModel model) {
        return ChatClient.create(model);
    }

    /** Starts and leaves. */
    public static void main(String[] args) {
        System.exit(SpringApplication.exit(SpringApplication.run(ServiceApp.class, args)));
    }
}
