package io.tokenbudget.agent;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Kind;
import io.tokenbudget.core.metering.CallerSource;
import io.tokenbudget.core.metering.Mdc;
import io.tokenbudget.core.metering.RefusalFactory;
import org.jspecify.annotations.Nullable;

/**
 * Who calls the models of one class loader, and which exception a refusal is to them: as that loader's own {@code
 * token-budget-annotations} says, and where it has none or nothing is open there, as those of any other application that has
 * a context open on the thread. Thread-safe.
 */
final class ApplicationApi implements CallerSource, RefusalFactory {
    private final @Nullable AnnotationsApi own;
    private final LoadedApis loaded;
    private final Mdc mdc;

    private ApplicationApi(@Nullable AnnotationsApi own, LoadedApis loaded, Mdc mdc) {
        this.own = own;
        this.loaded = loaded;
        this.mdc = mdc;
    }

    /** @param application has the models */
    static ApplicationApi seenBy(ClassLoader application, LoadedApis loaded) {
        return new ApplicationApi(loaded.seenBy(application), loaded, Mdc.seenBy(application));
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
        return other == null ? BudgetContext.EMPTY : other.contexts().current();
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
        return other == null ? null : other.contexts().read(carried);
    }

    @Override
    public Scope open(BudgetContext context) {
        AnnotationsApi here = ofCaller();
        return here == null ? Scope.NOTHING : here.contexts().open(context);
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
        return source.kind() == Kind.MDC ? mdc.get(source.name()) : null;
    }

    @Override
    public boolean dropsMdc() {
        return mdc.isDropped();
    }
}
