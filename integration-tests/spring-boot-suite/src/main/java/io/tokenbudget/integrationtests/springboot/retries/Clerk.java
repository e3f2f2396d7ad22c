package io.tokenbudget.integrationtests.springboot.retries;

import java.util.Objects;
import org.springframework.ai.chat.client.ChatClient;

/** What a {@link Desk} does in one attempt. */
public final class Clerk {
    private final ChatClient client;
    private final Mail mail;

    public Clerk(ChatClient.Builder client, Mail mail) {
        this.client = client.build();
        this.mail = mail;
    }

    /** Asks once, and fails where the mail does. */
    public String answer(String question) {
        return mail.send(ask(question));
    }

    /** Asks something short, and then something that is longer than any ceiling here. */
    public String research(String topic) {
        mail.begin();
        return ask("Who knows about it?") + ask((topic + ' ').repeat(20_000));
    }

    private String ask(String question) {
        return Objects.requireNonNull(client.prompt(question).call().content());
    }
}
