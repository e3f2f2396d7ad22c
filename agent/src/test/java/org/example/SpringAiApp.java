package org.example;

import org.springframework.ai.chat.prompt.Prompt;

/** Calls a Spring AI model: {@code <times> [<address to print>]}. */
public final class SpringAiApp {
    private SpringAiApp() {}

    public static void main(String[] args) throws Exception {
        EchoSpringChatModel model = new EchoSpringChatModel();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            try {
                System.out.println("answer " + model.call("question"));
            } catch (RuntimeException thrown) {
                System.out.println("thrown " + thrown.getClass().getName() + ": " + thrown.getMessage());
            }
        }
        System.out.println("streamed " + model.stream(new Prompt("question")).blockLast());
        if (args.length > 1) {
            System.out.println(Web.get(args[1]));
        }
    }
}
