package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.io.PrintStream;

/**
 * The agent's output: single lines on the error stream that the JVM started with, so that a line never runs through what
 * the application puts in its place. Thread-safe.
 */
final class Console implements Notices {
    static final Console STDERR = new Console(System.err);

    private final PrintStream out;

    Console(PrintStream out) {
        this.out = out;
    }

    @Override
    public void warn(String line) {
        out.println("[token-budget] ".concat(line.replace('\n', ' ').replace('\r', ' ')));
    }
}
