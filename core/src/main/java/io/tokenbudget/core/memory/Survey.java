package io.tokenbudget.core.memory;

import io.tokenbudget.BudgetStatus;
import io.tokenbudget.core.spi.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at all accounts, some hundred at a time, so that no call waits for long while there are many. Each account is seen at
 * one moment, the one after it perhaps at a later one. Used by one thread.
 */
final class Survey {
    /** A few dozen microseconds under the lock. */
    static final int SLICE = 256;

    private final int most;
    private final List<List<LimitState>> copied = new ArrayList<>();
    private int next;

    /** By scope: an account that came back at another index while this went on is as at its last look. */
    private final Map<Scope, List<BudgetStatus>> others = new LinkedHashMap<>();

    private final Map<Scope, List<BudgetStatus>> runs = new LinkedHashMap<>();

    /** @param most how many accounts to describe; those of runs are left out first */
    Survey(int most) {
        this.most = most;
    }

    /** Copies the numbers of the next accounts. For use under the lock. */
    void look(Accounts accounts, long now) {
        int end = Math.min(accounts.indexes(), next + SLICE);
        for (; next < end; next++) {
            Account account = accounts.at(next);
            if (account != null && isWanted(account) && !account.atRest(now)) {
                copied.add(account.copy(now));
            }
        }
        if (end == accounts.indexes()) {
            next = Integer.MAX_VALUE;
        }
    }

    private boolean isWanted(Account account) {
        return account.ofRun ? others.size() + runs.size() < most : others.size() < most;
    }

    /**
     * Makes texts of what was copied. For use outside the lock.
     *
     * @return whether there are more accounts to look at
     */
    boolean describe() {
        for (List<LimitState> account : copied) {
            if (!account.isEmpty()) {
                Scope scope = account.get(0).scope();
                (scope.valueOf(Account.RUN) == null ? others : runs)
                        .put(scope, account.stream().map(LimitState::toStatus).toList());
            }
        }
        copied.clear();
        return next != Integer.MAX_VALUE && others.size() < most;
    }

    /** What was seen. */
    List<BudgetStatus> statuses() {
        List<BudgetStatus> statuses = new ArrayList<>();
        int left = most - add(others.values(), most, statuses);
        add(runs.values(), left, statuses);
        return statuses;
    }

    private static int add(Collection<List<BudgetStatus>> accounts, int most, List<BudgetStatus> statuses) {
        int added = 0;
        for (List<BudgetStatus> account : accounts) {
            if (added == most) {
                break;
            }
            statuses.addAll(account);
            added++;
        }
        return added;
    }
}
