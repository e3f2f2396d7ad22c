package io.tokenbudget.core.metering;

import io.tokenbudget.BudgetContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and which run a call belongs to: the run that this thread works for, or one that begins with the call.
 *
 * <p>Thread-safe: what is of a thread is kept by {@link Metering}.
 */
final class Callers {
    private final Metering metering;
    private final CallerSource source;

    /** Set once; two threads that both find it unset say the same, and the notices drop the second. */
    private volatile boolean mdcLookedAt;

    Callers(Metering metering, CallerSource source) {
        this.metering = metering;
        this.source = source;
    }

    /** The run that this thread works for, or null. */
    @Nullable
    Run run() {
        Frame top = metering.top();
        return top == null || top.run == null ? metering.run() : top.run;
    }

    /** That run with what the application has open here and now, or null. */
    @Nullable
    Run present() {
        Run run = run();
        return orIfFaulty(run, "handing a run to another thread", () -> run == null ? null : run.at(source.current()));
    }

    /** {@link #present}, or a new run of the caller that this thread names; null if it says nothing of a caller. */
    @Nullable
    Run origin() {
        Run present = present();
        return present != null
                ? present
                : orIfFaulty(null, "finding who is calling", () -> saysWhoCalls() ? begin() : null);
    }

    /** {@code run}, or a new one, from a place on where {@code carried} is the context, if it is one. */
    @Nullable
    Run in(@Nullable Object carried, @Nullable Run run) {
        return orIfFaulty(run, "finding who is calling", () -> {
            BudgetContext context = source.contextIn(carried);
            return context == null ? run : (run == null ? begin() : run).at(context);
        });
    }

    /** Begins a run and lets this thread work for it, unless it works for one; null if nothing was begun. */
    @Nullable
    Run open() {
        return run() != null
                ? null
                : orIfFaulty(null, "beginning a run", () -> {
                    Run run = begin().onThread(Helping.depth(), metering.runOfThread());
                    metering.run(run);
                    return run;
                });
    }

    /** Ends what {@link #open} began on this thread. */
    void close(@Nullable Run opened) {
        if (opened != null && metering.runOfThread() == opened) {
            metering.run(opened.interrupted);
        }
    }

    /** Lets this thread work for {@code run}, if it is one; what it worked for before. */
    @Nullable
    Run enter(@Nullable Run run) {
        Run before = metering.runOfThread();
        if (run != null) {
            metering.run(run.onThread(Helping.depth(), null));
        }
        return before;
    }

    void leave(@Nullable Run before) {
        metering.run(before);
    }

    private @Nullable Run orIfFaulty(@Nullable Run instead, String what, Supplier<@Nullable Run> run) {
        try {
            return run.get();
        } catch (Throwable fault) {
            metering.fault(what, fault);
            return instead;
        }
    }

    /** Who makes the call of {@code frame}, whose run begins here if it is not known. */
    BudgetContext context(Frame frame) {
        Run run = frame.run;
        if (run == null) {
            run = begin();
            frame.run = run;
        }
        return run.context(source.current());
    }

    /** Who calls on this thread for {@code run}; null: for none that is known. */
    BudgetContext context(@Nullable Run run) {
        return run == null ? begin().context() : run.context(source.current());
    }

    private Run begin() {
        BudgetContext current = source.current();
        BudgetContext identified = metering.limiter.identify(current, this::mdc);
        boolean named = !metering.limiter.hasRunBudgets() || identified.runId() != null;
        if (named) {
            return new Run(current, identified);
        }
        String id = metering.runIds.next();
        Run run = new Run(current, identified.toBuilder().runId(id).build());
        metering.unnamedRuns.add(run.identity(), id);
        return run;
    }

    private boolean saysWhoCalls() {
        if (!source.current().equals(BudgetContext.EMPTY)) {
            return true;
        }
        for (String key : MdcSources.keys(metering.limiter.settings())) {
            if (mdc(key) != null) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String mdc(String key) {
        String value = source.mdc(key);
        if (value == null && !mdcLookedAt) {
            mdcLookedAt = true;
            sayIfMdcIsDropped();
        }
        return value;
    }

    private void sayIfMdcIsDropped() {
        String sources = source.dropsMdc() ? MdcSources.of(metering.limiter.settings()) : "";
        if (!sources.isEmpty()) {
            metering.notices.warn(
                    "mdc",
                    "nothing is found at " + sources + ": the application's logging backend keeps no MDC (Logback"
                            + " and Log4j do)");
        }
    }
}
