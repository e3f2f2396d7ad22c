package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.BuilderByName;
import io.tokenbudget.testkit.matrix.FrameworkLine;
import io.tokenbudget.testkit.matrix.Provider;
import java.util.List;

/** The version lines of LangChain4j that the matrix runs on, each with the providers' clients that are tried there. */
enum Line implements FrameworkLine {
    V1_0("1.0.1"),
    V1_11("1.11.0"),
    V1_19("1.19.0");

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
        return switch (this) {
            case V1_0 -> List.of(Provider.OPENAI, Provider.OLLAMA);
            case V1_11 -> List.of(Provider.OPENAI, Provider.ANTHROPIC, Provider.OLLAMA);
            case V1_19 -> List.of(Provider.OPENAI, Provider.ANTHROPIC, Provider.GEMINI);
        };
    }

    /** The line on the class path, by a class that it has and the one before has not. */
    static Line present() {
        if (BuilderByName.exists("dev.langchain4j.model.chat.ChatRequestOptions")) {
            return V1_19;
        }
        return BuilderByName.exists("dev.langchain4j.model.chat.response.StreamingHandle") ? V1_11 : V1_0;
    }

    /** LangChain4j 1.8 brought the handle by which a stream is cancelled. */
    boolean hasHandles() {
        return this != V1_0;
    }
}
