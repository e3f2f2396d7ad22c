package io.tokenbudget.testkit.annotation;

/** A model that the adapter under test meters. Thread-safe. */
@FunctionalInterface
public interface Model {
    /** What one call uses: {@value} tokens. An estimate of it may be less, never more. */
    long TOKENS = 100;

    /**
     * Asks the model once.
     *
     * @return the answer
     * @throws RuntimeException a {@link io.tokenbudget.LimitExceededException}, also as a cause, if a limit refuses
     */
    String ask();
}
