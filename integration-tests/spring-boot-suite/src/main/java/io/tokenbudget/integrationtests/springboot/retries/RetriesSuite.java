package io.tokenbudget.integrationtests.springboot.retries;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is expected of a {@link Desk}, whoever tries its methods again. */
public abstract class RetriesSuite extends RetriedApplication {
    /** @param type an application with a {@link Desk} and a {@link Mail} */
    protected RetriesSuite(Class<?> type, String... configuration) {
        super(type, configuration);
    }

    @Test
    @DisplayName("C7: attempts under one key are one run, are counted, and each is booked as it is billed")
    void attemptsUnderOneKeyAreOneRun() {
        assertAttemptsAreOneRun("desk", question -> desk.handle("t-1", question));
    }

    @Test
    @DisplayName("C7: without a key all attempts are one run too")
    void attemptsAreOneRun() {
        assertAttemptsAreOneRun("unnamed", desk::unnamed);
    }

    @Test
    @DisplayName("C7: all attempts are under one ceiling")
    void attemptsAreUnderOneCeiling() {
        assertAttemptsAreUnderOneCeiling("bound", desk::bound);
    }

    @Test
    @DisplayName("C8: a refusal is final by itself: the method is not called again and nothing more is billed")
    void aRefusalIsFinal() {
        assertRefusedOnce("research", desk::research);
    }

    @Test
    @DisplayName("C8: a refusal is final by the line of the page")
    void aRefusalIsFinalByTheLineOfThePage() {
        assertRefusedOnce("excluded", desk::excluded);
    }
}
