package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.BuilderByName;
import io.tokenbudget.testkit.matrix.FrameworkLine;
import io.tokenbudget.testkit.matrix.Provider;
import java.util.Arrays;
import java.util.List;
import org.springframework.ai.chat.model.ChatModel;

/** The version lines of Spring AI that the matrix runs on. */
enum Line implements FrameworkLine {
    V1_0("1.0.3"),
    V1_1("1.1.2"),
    V2_0("2.0.1");

    /** The source of the models' matrices. */
    static final String MODELS = "io.tokenbudget.integrationtests.springai.Line#models";

    /** The source of the matrices of {@code ChatClient}, where what differs is what is around the model. */
    static final String CLIENTS = "io.tokenbudget.integrationtests.springai.Line#clients";

    private final String version;

    Line(String version) {
        this.version = version;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public List<Provider> providers() {
        return List.of(Provider.OPENAI, Provider.ANTHROPIC, Provider.OLLAMA);
    }

    static List<Provider> models() {
        return present().providers();
    }

    static List<Provider> clients() {
        return List.of(Provider.OPENAI, Provider.ANTHROPIC);
    }

    /** The line on the class path, by what it has and the one before has not. */
    static Line present() {
        if (Arrays.stream(ChatModel.class.getMethods())
                .anyMatch(method -> method.getName().equals("getOptions"))) {
            return V2_0;
        }
        return BuilderByName.exists("org.springframework.ai.ollama.api.OllamaChatOptions") ? V1_1 : V1_0;
    }
}
