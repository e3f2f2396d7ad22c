package org.example;

import dev.langchain4j.model.chat.ChatModel;
import java.util.List;

/** Runs away into a model, catches that as an application server would, and goes on. */
public final class RunawayApp {
    private static final int THREADS = 12;

    private RunawayApp() {}

    @SuppressWarnings("InfiniteRecursion") // that is what it is for
    private static int ask(ChatModel model, int depth) {
        model.chat("hi");
        return ask(model, depth + 1) + depth;
    }

    /** Prints whether an ordinary exception has its stack trace afterwards. */
    public static void main(String[] args) throws InterruptedException {
        ChatModel model = new EchoChatModel();
        for (int n = 0; n < THREADS; n++) {
            Thread thread = new Thread(null, () -> runAway(model), "runaway", (256 + 64L * n) * 1024);
            thread.start();
            thread.join();
        }
        try {
            List.of().get(THREADS);
        } catch (IndexOutOfBoundsException expected) {
            System.out.println("thrown at " + expected.getStackTrace()[0].getClassName());
        }
    }

    private static void runAway(ChatModel model) {
        try {
            System.out.println(ask(model, 0));
        } catch (StackOverflowError expected) {
            System.out.println("ran away");
        }
    }
}
