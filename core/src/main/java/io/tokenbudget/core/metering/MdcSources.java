package io.tokenbudget.core.metering;

import io.tokenbudget.core.config.IdentitySource;
import io.tokenbudget.core.config.IdentitySource.Kind;
import io.tokenbudget.core.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The {@code mdc:} sources of a configuration. */
final class MdcSources {
    private MdcSources() {}

    /** {@code mdc:tenant, mdc:userName}: those that budgets go by; empty if there are none. */
    static String of(Settings settings) {
        return settings.identity().entrySet().stream()
                .filter(entry -> hasBudget(settings, entry.getKey()))
                .map(entry -> entry.getValue())
                .flatMap(List<IdentitySource>::stream)
                .filter(source -> source.kind() == Kind.MDC)
                .map(source -> "mdc:" + source.name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** The dimensions that budgets go by and whose value may be found so. */
    static List<String> dimensions(Settings settings) {
        return settings.identity().entrySet().stream()
                .filter(entry -> hasBudget(settings, entry.getKey()))
                .filter(entry -> entry.getValue().stream().anyMatch(source -> source.kind() == Kind.MDC))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The keys under which a dimension's value may be found. */
    static List<String> keys(Settings settings) {
        return settings.identity().values().stream()
                .flatMap(List<IdentitySource>::stream)
                .filter(source -> source.kind() == Kind.MDC)
                .map(IdentitySource::name)
                .distinct()
                .toList();
    }

    private static boolean hasBudget(Settings settings, String dimension) {
        return settings.budgets().stream().anyMatch(row -> row.dimensions().contains(dimension));
    }
}
