package io.tokenbudget.core.metering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** The baggage of whatever OpenTelemetry API a class loader sees; empty where it sees none. Thread-safe. */
final class Baggage {
    private final @Nullable MethodHandle current;
    private final @Nullable MethodHandle entry;

    private Baggage(@Nullable MethodHandle current, @Nullable MethodHandle entry) {
        this.current = current;
        this.entry = entry;
    }

    /** Looks {@code io.opentelemetry.api.baggage.Baggage} up in {@code loader}. */
    static Baggage seenBy(@Nullable ClassLoader loader) {
        try {
            Class<?> baggage = Class.forName("io.opentelemetry.api.baggage.Baggage", false, loader);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            return new Baggage(
                    lookup.findStatic(baggage, "current", MethodType.methodType(baggage))
                            .asType(MethodType.methodType(Object.class)),
                    lookup.findVirtual(baggage, "getEntryValue", MethodType.methodType(String.class, String.class))
                            .asType(MethodType.methodType(String.class, Object.class, String.class)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            return new Baggage(null, null);
        }
    }

    /** The value on this thread, or null. */
    @Nullable
    String get(String key) {
        if (current == null || entry == null) {
            return null;
        }
        try {
            Object here = (Object) current.invokeExact();
            return (String) entry.invokeExact(here, key);
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("reading OpenTelemetry's baggage failed", checked);
        }
    }
}
