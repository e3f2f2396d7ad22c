package io.tokenbudget.integrationtests.springboot.retries;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.TokenBudgets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Where answers go. Fails as often as a test wants; remembers the run of each attempt. Thread-safe. */
public final class Mail {
    private final List<Object> runs = new CopyOnWriteArrayList<>();
    private volatile int failures;

    /** @throws IllegalStateException so often as it is to fail */
    public String send(@Nullable String answer) {
        begin();
        if (runs.size() <= failures) {
            throw new IllegalStateException("the mail server is down");
        }
        return Objects.requireNonNull(answer);
    }

    /** Only remembers the run. */
    public void begin() {
        BudgetContext current = TokenBudgets.current();
        runs.add(Objects.requireNonNullElse(current.runId(), Objects.requireNonNullElse(current.run(), "no run")));
    }

    /** The run of each attempt since {@link #fail}: its name, or the run itself. */
    List<Object> runs() {
        return List.copyOf(runs);
    }

    /** Forgets the runs, and fails so often from now on. */
    void fail(int times) {
        runs.clear();
        failures = times;
    }
}
