package io.tokenbudget.launches.woven;

import java.io.IOException;

/** The application with {@code token-budget-annotations} alone: {@code WithoutLimiter http://127.0.0.1:8080/v1}. */
public final class WithoutLimiter {
    private WithoutLimiter() {}

    /** Works, and waits for the end of its input. */
    public static void main(String[] args) throws IOException {
        new Desk(Models.blocking(args[0]), Models.streaming(args[0])).work();
        System.out.println("done");
        while (System.in.read() >= 0) {}
    }
}
