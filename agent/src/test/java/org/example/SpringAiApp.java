package org.example;

import org.springframework.ai.chat.prompt.Prompt;

/** Calls a Spring AI model, and has it stream twice: {@code <times> [<address to print>]}. */
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
        for (int i = 0; i < 2; i++) {
            try {
                model.stream(new Prompt("question")).blockLast();
                System.out.println("streamed");
            } catch (RuntimeException thrown) {
                System.out.println("stream thrown " + thrown.getClass().getName() + ": " + thrown.getMessage());
            }
        }
        if (args.length > 1) {
            System.out.println(Web.get(args[1]));
        }
    }
}
