package io.tokenbudget.integrationtests.springai;

import java.util.Arrays;
import org.springframework.ai.chat.model.ChatModel;

/** The version lines of Spring AI that the matrix runs on. */
enum Line {
    V1_0("1.0.3"),
    V1_1("1.1.2"),
    V2_0("2.0.1");

    final String version;

    Line(String version) {
        this.version = version;
    }

    /** The line on the class path, by what it has and the one before has not. */
    static Line present() {
        if (Arrays.stream(ChatModel.class.getMethods())
                .anyMatch(method -> method.getName().equals("getOptions"))) {
            return V2_0;
        }
        return exists("org.springframework.ai.ollama.api.OllamaChatOptions") ? V1_1 : V1_0;
    }

    private static boolean exists(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }
}
