package io.tokenbudget.core.metering;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Extent;
import io.tokenbudget.core.config.IdentitySource.Kind;
import io.tokenbudget.core.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The sources of a configuration that are read on the thread of a call. */
final class ThreadSources {
    private ThreadSources() {}

    /** {@code mdc:tenant, mdc:userName}: those of the diagnostic context that budgets go by; empty if there are none. */
    static String ofMdc(Settings settings) {
        return settings.identity().entrySet().stream()
                .filter(entry -> hasBudget(settings, entry.getKey()))
                .map(entry -> entry.getValue())
                .flatMap(List<IdentitySource>::stream)
                .filter(source -> source.kind() == Kind.MDC)
                .map(IdentitySource::toString)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** The dimensions that budgets go by and whose value may be found so. */
    static List<String> dimensions(Settings settings) {
        return settings.identity().entrySet().stream()
                .filter(entry -> hasBudget(settings, entry.getKey()))
                .filter(entry -> entry.getValue().stream().anyMatch(ThreadSources::isOne))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** All of them. */
    static List<IdentitySource> of(Settings settings) {
        return settings.identity().values().stream()
                .flatMap(List<IdentitySource>::stream)
                .filter(ThreadSources::isOne)
                .distinct()
                .toList();
    }

    private static boolean isOne(IdentitySource source) {
        return source.kind().extent() == Extent.THREAD;
    }

    private static boolean hasBudget(Settings settings, String dimension) {
        return settings.budgets().stream().anyMatch(row -> row.dimensions().contains(dimension));
    }
}
