package io.tokenbudget.core.metering;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is behind an exception, which may be the application's own and do as it likes. */
public final class Causes {
    /** Some have themselves among their causes. */
    private static final int DEEPEST = 32;

    private Causes() {}

    /**
     * {@code thrown} and its causes, from the outside in; empty for null. Does not throw: what is behind one that throws when
     * it is asked is not known.
     */
    public static List<Throwable> of(@Nullable Throwable thrown) {
        List<Throwable> causes = new ArrayList<>(4);
        Throwable each = thrown;
        while (each != null && causes.size() < DEEPEST) {
            causes.add(each);
            each = behind(each);
        }
        return causes;
    }

    private static @Nullable Throwable behind(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (RuntimeException | Error itsOwn) {
            return null;
        }
    }
}
