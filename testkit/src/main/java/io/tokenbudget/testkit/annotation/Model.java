package io.tokenbudget.testkit.annotation;

/** A model that the adapter under test meters. Thread-safe. */
@FunctionalInterface
public interface Model {
    /** What one call uses: {@value} tokens. An estimate of it is not more, and hardly less. */
    long TOKENS = 100;

    /**
     * Asks the model once.
     *
     * @return the answer
     * @throws RuntimeException a {@link io.tokenbudget.LimitExceededException}, also as a cause, if a limit refuses
     */
    String ask();

    /** Asks so often, and returns the last answer. */
    static String ask(Model model, int times) {
        String answer = "none";
        for (int i = 0; i < times; i++) {
            answer = model.ask();
        }
        return answer;
    }
}
