package io.tokenbudget.core.metering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** The mapped diagnostic context of whatever SLF4J a class loader sees; empty where it sees none. Thread-safe. */
public final class Mdc {
    private final @Nullable MethodHandle get;

    private Mdc(@Nullable MethodHandle get) {
        this.get = get;
    }

    /** Looks {@code org.slf4j.MDC} up in {@code loader}. */
    public static Mdc seenBy(@Nullable ClassLoader loader) {
        try {
            Class<?> mdc = Class.forName("org.slf4j.MDC", false, loader);
            return new Mdc(MethodHandles.publicLookup()
                    .findStatic(mdc, "get", MethodType.methodType(String.class, String.class)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            return new Mdc(null);
        }
    }

    /** The value on this thread, or null. */
    public @Nullable String get(String key) {
        if (get == null) {
            return null;
        }
        try {
            return (String) get.invokeExact(key);
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("MDC.get failed", checked);
        }
    }
}
