package io.tokenbudget.agent;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.TokenBudgets;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.RefusalFactory;
import io.tokenbudget.core.metering.ThreadValues;
import org.jspecify.annotations.Nullable;

/**
 * Who calls the models of one class loader, and which exception a refusal is to them: as that loader's own {@code
 * token-budget-annotations} says, and where it has none or nothing is open there, as those of any other application that has
 * a context open on the thread. Where there is no application with any, what is open is kept by our own class. Thread-safe.
 */
final class ApplicationApi implements CallerSource, RefusalFactory {
    private final @Nullable AnnotationsApi own;
    private final LoadedApis loaded;
    private final ThreadValues values;

    private ApplicationApi(@Nullable AnnotationsApi own, LoadedApis loaded, ThreadValues values) {
        this.own = own;
        this.loaded = loaded;
        this.values = values;
    }

    /** @param application has the models */
    static ApplicationApi seenBy(ClassLoader application, LoadedApis loaded) {
        return new ApplicationApi(loaded.seenBy(application), loaded, ThreadValues.seenBy(application));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // what is read where nothing is open
    public BudgetContext current() {
        BudgetContext opened =
                own == null ? BudgetContext.EMPTY : own.contexts().current();
        if (opened != BudgetContext.EMPTY) {
            return opened;
        }
        AnnotationsApi other = loaded.openHere();
        return other == null ? TokenBudgets.current() : other.contexts().current();
    }

    @Override
    public @Nullable BudgetContext contextIn(@Nullable Object carried) {
        if (carried == null) {
            return null;
        }
        BudgetContext ofOwn = own == null ? null : own.contexts().read(carried);
        if (ofOwn != null) {
            return ofOwn;
        }
        AnnotationsApi other = loaded.ofContext(carried);
        if (other != null) {
            return other.contexts().read(carried);
        }
        return own == null && carried instanceof BudgetContext ours ? ours : null;
    }

    @Override
    public Scope open(BudgetContext context) {
        AnnotationsApi here = ofCaller();
        return here == null
                ? TokenBudgets.open(context)::close
                : here.contexts().open(context);
    }

    @Override
    public Object carried(BudgetContext context) {
        AnnotationsApi here = ofCaller();
        return here == null ? context : here.contexts().write(context);
    }

    @Override
    public RuntimeException toThrow(LimitExceededException refusal) {
        AnnotationsApi here = ofCaller();
        return here == null
                ? ApplicationRefusals.ours().toThrow(refusal)
                : here.refusals().toThrow(refusal);
    }

    private @Nullable AnnotationsApi ofCaller() {
        if (own != null && own.isOpenHere()) {
            return own;
        }
        AnnotationsApi other = loaded.openHere();
        if (other != null) {
            return other;
        }
        return own == null ? loaded.ofThread() : own;
    }

    @Override
    public @Nullable String value(IdentitySource source) {
        return values.value(source);
    }

    @Override
    public @Nullable String reservation(@Nullable String reservation) {
        return values.reservation(reservation);
    }

    @Override
    public boolean dropsMdc() {
        return values.dropsMdc();
    }
}
