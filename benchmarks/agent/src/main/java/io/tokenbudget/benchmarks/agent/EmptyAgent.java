package io.tokenbudget.benchmarks.agent;

import java.lang.instrument.Instrumentation;

/** The least an agent can be: what the JVM itself takes for one. */
public final class EmptyAgent {
    private EmptyAgent() {}

    /** Nothing. */
    public static void premain(String arguments, Instrumentation instrumentation) {}
}
