package io.tokenbudget.benchmarks.agent;

/** Makes one LangChain4j call. */
public final class ChatApp {
    private ChatApp() {}

    /** Makes it. */
    public static void main(String[] args) {
        System.out.println(new NoOpModel().chat("hello"));
    }
}
