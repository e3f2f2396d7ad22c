package io.tokenbudget.benchmarks.agent;

/** Does next to nothing. */
public final class HelloApp {
    private HelloApp() {}

    /** Says so. */
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
