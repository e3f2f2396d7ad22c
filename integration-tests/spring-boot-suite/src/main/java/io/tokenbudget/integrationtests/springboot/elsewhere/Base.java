package io.tokenbudget.integrationtests.springboot.elsewhere;

import org.springframework.ai.chat.model.ChatModel;

/** Has a method that no class of another package overrides, a proxy's neither. */
public abstract class Base implements ChatModel {
    private final String name = String.join(" ", "a", "name");

    String name() {
        return name.strip();
    }

    /** Calls that method. */
    public static String nameOf(Base model) {
        return model.name();
    }
}
