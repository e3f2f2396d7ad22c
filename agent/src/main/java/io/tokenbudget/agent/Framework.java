package io.tokenbudget.agent;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The frameworks that are metered. */
public enum Framework {
    /** LangChain4j. */
    LANGCHAIN4J(
            "LangChain4j",
            "1.0.1 to 1.19.0",
            "dev.langchain4j.",
            "dev.langchain4j.model.chat.ChatModel",
            "META-INF/maven/dev.langchain4j/langchain4j-core/pom.properties"),

    /** Spring AI. */
    SPRING_AI(
            "Spring AI",
            "1.0.3, 1.1.2 and 2.0.1",
            "org.springframework.ai.",
            "org.springframework.ai.chat.model.ChatModel",
            "META-INF/maven/org.springframework.ai/spring-ai-model/pom.properties");

    private final String title;
    private final String tested;
    private final String packages;
    private final String landmark;
    private final String pomProperties;

    Framework(String title, String tested, String packages, String landmark, String pomProperties) {
        this.title = title;
        this.tested = tested;
        this.packages = packages;
        this.landmark = landmark;
        this.pomProperties = pomProperties;
    }

    /** Its name as people write it. */
    public String title() {
        return title;
    }

    /** The versions that the tests run with, for people. */
    public String tested() {
        return tested;
    }

    /** The framework of a kind of calls, or null if it is none. */
    static @Nullable Framework of(String kind) {
        for (Framework framework : values()) {
            if (kind.endsWith(framework.ending())) {
                return framework;
            }
        }
        return null;
    }

    /** The framework that an advice is typed against, by their names; null if it is typed against none. */
    static @Nullable Framework ofAdvice(String advice) {
        String simpleName = advice.substring(advice.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        for (Framework framework : values()) {
            if (simpleName.startsWith(framework.title.replace(" ", "").toLowerCase(Locale.ROOT))) {
                return framework;
            }
        }
        return null;
    }

    /** What all kinds of its calls end with. */
    private String ending() {
        return " of " + title;
    }

    /** A kind of its calls without its name: {@code "chat calls"}. */
    String without(String kind) {
        return kind.substring(0, kind.length() - ending().length());
    }

    /** Whether a class of this name must be the application's, and fit. */
    static boolean owns(String className) {
        for (Framework framework : values()) {
            if (className.startsWith(framework.packages)) {
                return true;
            }
        }
        return className.startsWith("reactor."); // part of Spring AI's own signatures
    }

    /** Name and version as {@code application} has it; the version is left out where the jar does not say. */
    String seenBy(ClassLoader application) {
        String version = Version.ofJar(application, landmark, pomProperties);
        return version == null ? title : title + " " + version;
    }
}
