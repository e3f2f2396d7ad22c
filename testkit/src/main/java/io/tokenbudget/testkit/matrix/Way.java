package io.tokenbudget.testkit.matrix;

import io.tokenbudget.testkit.status.BudgetsSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** How the calls of a run of the matrix are metered: in process, or by the agent. */
public interface Way {

    /** The budgets now. */
    BudgetsSnapshot budgets();

    /** Faults and the like that were reported up to now, where this process can see them. */
    default List<String> notices() {
        return List.of();
    }

    /** Whether the ledger's clock can be put forward here. */
    default boolean canPass() {
        return false;
    }

    /** Puts the ledger's clock forward. */
    default void pass(Duration time) {
        throw new UnsupportedOperationException("the clock of this run is the machine's");
    }

    /**
     * What an application without any of this would see.
     *
     * @param cell names the cell
     * @param control makes the same call on the framework's own model; unmetered only where nothing is woven
     */
    Outcome unmetered(String cell, Supplier<Outcome> control);
}
