package io.tokenbudget.core.metering;

import io.tokenbudget.TokenBudgets;
import io.tokenbudget.TokenLimiter;
import io.tokenbudget.core.BudgetReport;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.Notices;
import io.tokenbudget.core.estimates.ModelEstimates;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What all metered calls of a process share: the limiter, the counts, and each thread's stack of frames.
 *
 * <p>One for a process. Thread-safe: the counts are adders, the stack belongs to its thread and is removed from it when
 * the outermost frame ends, so that no pooled thread keeps anything of ours.
 */
public final class Metering {
    /** Owned by this class: written under its lock, of which all that matters is that two do not make two. */
    private static volatile @Nullable Metering installed;

    final DefaultTokenLimiter limiter;
    final Notices.Once notices;
    private final CallLog log;
    final SettledAnswers settledAnswers = new SettledAnswers(this);
    final Delegators delegators = new Delegators();
    final ModelEstimates estimates;
    final LongAdder metered = new LongAdder();
    final LongAdder unmetered = new LongAdder();
    final LongAdder usageMissing = new LongAdder();
    final Rounds rounds;
    final RunIds runIds = new RunIds();
    final UnnamedRuns unnamedRuns = new UnnamedRuns();
    private final LongAdder unreported = new LongAdder();

    @SuppressWarnings("ThreadLocalUsage") // one Metering for a process; two must not share a stack
    private final ThreadLocal<Frame> top = new ThreadLocal<>();

    /** The run that this thread works for outside of any frame, if it is inside one. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Run> run = new ThreadLocal<>();

    /**
     * @param limiter reserves and settles
     * @param notices where faults and unmetered calls are reported, each kind once
     */
    public Metering(DefaultTokenLimiter limiter, Notices notices) {
        this(limiter, notices, CallLog.OFF);
    }

    /**
     * @param limiter reserves and settles
     * @param notices where faults and unmetered calls are reported, each kind once
     * @param log hears how each metered round ended
     */
    public Metering(DefaultTokenLimiter limiter, Notices notices, CallLog log) {
        this.limiter = limiter;
        this.notices = notices.once();
        this.log = log;
        this.estimates = new ModelEstimates(() -> limiter.settings().estimates().exact());
        this.rounds = new Rounds(this, limiter);
    }

    /**
     * The process's, for adapters that nobody hands one: the one that was {@linkplain #install installed}, or one for the
     * limiter that {@link TokenBudgets} has; null if it has none, or one that is not from here.
     */
    public static @Nullable Metering installed() {
        TokenLimiter limiter = TokenBudgets.isInstalled() ? TokenBudgets.limiter() : null;
        Metering known = installed;
        if (known != null && known.limiter == limiter) {
            return known;
        }
        return limiter instanceof DefaultTokenLimiter own ? forLimiter(own) : null;
    }

    private static Metering forLimiter(DefaultTokenLimiter limiter) {
        synchronized (Metering.class) {
            Metering known = installed;
            if (known == null || known.limiter != limiter) {
                known = new Metering(limiter, Notices.logger());
                installed = known;
            }
            return known;
        }
    }

    /** Makes this the process's, and its limiter {@link TokenBudgets#limiter}, in place of any earlier ones. */
    public void install() {
        synchronized (Metering.class) {
            installed = this;
            TokenBudgets.install(limiter);
        }
    }

    /** A meter for the calls of one class loader's framework. */
    public CallMeter meter(CallerSource caller, RefusalFactory refusals) {
        return new CallMeter(this, caller, refusals);
    }

    /** What {@code GET /budgets} answers. */
    public BudgetReport report() {
        rounds.bookExpired();
        unnamedRuns.forget(Integer.MAX_VALUE, limiter::endRun);
        return limiter.report(
                new BudgetReport.Calls(metered.sum(), unmetered.sum(), usageMissing.sum()), estimates.report());
    }

    /** How many streams are under way that have neither ended nor expired. */
    public int openStreams() {
        return rounds.flowing();
    }

    /** Whether each run needs a name: because budgets are kept for it, or because other services are told of it. */
    boolean namesRuns() {
        return limiter.hasRunBudgets()
                || !limiter.settings().http().sendContextTo().isEmpty();
    }

    /** The innermost frame of this thread, unless it is of a call that the thread waits in while it helps others. */
    @Nullable
    Frame top() {
        Frame frame = top.get();
        return frame == null || frame.helping == Helping.depth() ? frame : null;
    }

    /** The innermost frame of this thread, whosever it is. */
    @Nullable
    Frame topOfStack() {
        return top.get();
    }

    void push(Frame frame) {
        top.set(frame);
    }

    void pop(Frame frame) {
        if (frame.outer == null) {
            top.remove();
        } else {
            top.set(frame.outer);
        }
    }

    /** What this thread works for outside of any frame, unless it helps others meanwhile. */
    @Nullable
    Run run() {
        Run working = run.get();
        return working == null || working.helping == Helping.depth() ? working : null;
    }

    /** What {@link #run(Run)} was told last on this thread. */
    @Nullable
    Run runOfThread() {
        return run.get();
    }

    void run(@Nullable Run current) {
        if (current == null) {
            run.remove();
        } else {
            run.set(current);
        }
    }

    void log(Consumer<CallLog> event) {
        try {
            event.accept(log);
        } catch (Throwable fault) {
            fault("writing the call log", fault);
        }
    }

    /** Reports a fault, once for each place and type. Cannot throw: it is called where nothing may. */
    void fault(String where, Throwable fault) {
        try {
            notices.warn(
                    where + fault.getClass().getName(),
                    "a fault of Token Budget while " + where + " was kept from the application: " + describe(fault));
        } catch (Throwable unreportable) {
            // A stack without room or a broken log: whatever it is, the application must not see it.
            unreported.increment();
        }
    }

    private static String describe(Throwable fault) {
        try {
            return fault.toString();
        } catch (RuntimeException | Error itsOwn) {
            return fault.getClass().getName();
        }
    }
}
