package io.tokenbudget.core.metering;

import io.tokenbudget.core.config.IdentitySource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was found where a run began and is told to it later: once for all its rounds, on whatever thread they run. Immutable.
 */
final class Beginning {
    private static final IdentitySource[] NONE = {};

    /** The same object for as long as a call of the run may come. */
    private final Object identity;

    private final @Nullable String[] saidByThread;

    /** What the sources said that are not the process's or the request's, as they stood; only where it may be asked again. */
    private final IdentitySource[] sources;

    private final @Nullable String[] values;

    private Beginning(
            Object identity, @Nullable String[] saidByThread, IdentitySource[] sources, @Nullable String[] values) {
        this.identity = identity;
        this.saidByThread = saidByThread;
        this.sources = sources;
        this.values = values;
    }

    /** @param saidByThread {@link SaidByThread#now} where the run began */
    static Beginning of(@Nullable String[] saidByThread) {
        return new Beginning(new Object(), saidByThread, NONE, new String[0]);
    }

    Object identity() {
        return identity;
    }

    @Nullable
    String[] saidByThread() {
        return saidByThread;
    }

    /** What {@code asked} said; null if it said nothing or was not asked. */
    @Nullable
    String value(IdentitySource asked) {
        for (int i = 0; i < sources.length; i++) {
            if (sources[i].equals(asked)) {
                return values[i];
            }
        }
        return null;
    }

    /** This with what {@code lookup} knows of {@code asked}, which comes before what was known; this if it knows nothing. */
    Beginning and(List<IdentitySource> asked, Function<IdentitySource, @Nullable String> lookup) {
        List<IdentitySource> known = new ArrayList<>();
        List<@Nullable String> said = new ArrayList<>();
        for (IdentitySource source : asked) {
            String value = source.raw(lookup);
            if (value != null) {
                known.add(source);
                said.add(value);
            }
        }
        if (known.isEmpty()) {
            return this;
        }
        for (int i = 0; i < sources.length; i++) {
            known.add(sources[i]);
            said.add(values[i]);
        }
        return new Beginning(identity, saidByThread, known.toArray(NONE), said.toArray(new String[0]));
    }
}
