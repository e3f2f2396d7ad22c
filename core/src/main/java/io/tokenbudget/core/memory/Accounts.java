package io.tokenbudget.core.memory;

import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of a ledger, by scope and by index. One that is at rest leaves memory: each is looked at when what was
 * used of it at the last look will have left its windows, so no operation ever looks for accounts to remove. Not
 * thread-safe; guarded by the ledger's lock.
 */
final class Accounts {
    /** A run that nobody calls for so long has ended: only then does what it used leave memory. */
    private static final long RUN_IDLE_MILLIS = Duration.ofHours(24).toMillis();

    private static final long SOONEST_CHECK_MILLIS = 1000;
    private static final int CHECKS_FOR_EACH_NEW = 4;

    private final Holds holds;
    private final Lines lines;
    private final Map<Scope, Account> byScope = new HashMap<>();
    private final List<@Nullable Account> byIndex = new ArrayList<>();
    private final List<Integer> freeIndexes = new ArrayList<>();

    /** The first of each run's accounts, which are chained. */
    private final Map<String, Account> byRun = new HashMap<>();

    private final TreeSet<Account> restChecks =
            new TreeSet<>(Comparator.comparingLong((Account account) -> account.restCheckAt)
                    .thenComparingInt(account -> account.index));

    Accounts(Holds holds, Lines lines) {
        this.holds = holds;
        this.lines = lines;
    }

    /** The scope's account, with the limits that are in force now; opened if there is none. */
    Account open(BudgetRef budget, long now) {
        Account account = find(budget);
        if (account == null) {
            // More may leave for each that comes, so that there are never many more than are in use.
            for (int i = 0; i < CHECKS_FOR_EACH_NEW && checkOne(now); i++) {}
            account = create(budget);
            budget.place(account);
            scheduleCheck(account, now);
        } else {
            account.reconfigure(budget);
        }
        account.touchedAt = now;
        return account;
    }

    /** The account of a budget that was opened by this very operation. */
    Account opened(BudgetRef budget) {
        Account account = find(budget);
        if (account == null) {
            throw new IllegalStateException(budget + " was not opened");
        }
        return account;
    }

    private Account create(BudgetRef budget) {
        int last = freeIndexes.size() - 1;
        int index = last < 0 ? byIndex.size() : freeIndexes.remove(last);
        Account account = new Account(budget, this, index, new ExpiryList(holds, lines));
        if (index == byIndex.size()) {
            byIndex.add(account);
        } else {
            byIndex.set(index, account);
        }
        byScope.put(account.scope, account);
        if (account.run != null) {
            Account next = byRun.put(account.run, account);
            account.nextOfRun = next;
            if (next != null) {
                next.previousOfRun = account;
            }
        }
        return account;
    }

    @Nullable
    Account find(BudgetRef budget) {
        if (budget.place() instanceof Account noted && noted.owner == this && noted.inMemory) {
            return noted;
        }
        Account account = byScope.get(budget.scope());
        if (account != null) {
            budget.place(account);
        }
        return account;
    }

    /** The account of a line. It is there: an account with lines is not at rest. */
    Account ofLine(int line) {
        Account account = byIndex.get(lines.account[line]);
        if (account == null) {
            throw new IllegalStateException("line " + line + " is on no account");
        }
        return account;
    }

    /** One more than the highest index of an account. */
    int indexes() {
        return byIndex.size();
    }

    /** The account at an index below {@link #indexes}; null if that is free. */
    @Nullable
    Account at(int index) {
        return byIndex.get(index);
    }

    int size() {
        return byScope.size();
    }

    /** Looks at one account whose time has come, and removes it if it is at rest. False if there is none. */
    boolean checkOne(long now) {
        Account account = restChecks.isEmpty() ? null : restChecks.first();
        if (account == null || account.restCheckAt > now) {
            return false;
        }
        restChecks.remove(account);
        // The call of this very moment may be about to hold on it.
        boolean inUse = account.touchedAt == now;
        if (!inUse && (account.atRest(now) || isEndedRun(account, now))) {
            remove(account);
        } else {
            scheduleCheck(account, now);
        }
        return true;
    }

    /** Removes the accounts of a run, each as soon as nothing is held on it. */
    void endRun(String run, long now) {
        Account account = byRun.get(run);
        while (account != null) {
            Account next = account.nextOfRun;
            account.runHasEnded = true;
            restChecks.remove(account);
            if (account.isFree()) {
                remove(account);
            } else {
                scheduleCheck(account, now);
            }
            account = next;
        }
    }

    private void remove(Account account) {
        byScope.remove(account.scope);
        if (account.run != null) {
            unchain(account.run, account);
        }
        account.inMemory = false;
        // A budget that is asked for again may know it still: nothing of it is needed.
        account.firstMeter = null;
        byIndex.set(account.index, null);
        freeIndexes.add(account.index);
    }

    private void unchain(String run, Account account) {
        Account previous = account.previousOfRun;
        Account next = account.nextOfRun;
        if (next != null) {
            next.previousOfRun = previous;
        }
        if (previous != null) {
            previous.nextOfRun = next;
        } else if (next != null) {
            byRun.put(run, next);
        } else {
            byRun.remove(run);
        }
        account.previousOfRun = null;
        account.nextOfRun = null;
    }

    private void scheduleCheck(Account account, long now) {
        long emptyAt = account.emptyAt(now);
        if (account.runHasEnded) {
            emptyAt = now;
        } else if (emptyAt == Meter.NEVER && account.ofRun) {
            emptyAt = Amounts.add(account.touchedAt, RUN_IDLE_MILLIS);
        }
        account.restCheckAt = Math.max(now + SOONEST_CHECK_MILLIS, emptyAt);
        restChecks.add(account);
    }

    private static boolean isEndedRun(Account account, long now) {
        return account.ofRun && account.isFree() && (account.runHasEnded || now - account.touchedAt >= RUN_IDLE_MILLIS);
    }
}
