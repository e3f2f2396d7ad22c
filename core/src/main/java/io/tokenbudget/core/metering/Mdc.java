package io.tokenbudget.core.metering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** The mapped diagnostic context of whatever SLF4J a class loader sees; empty where it sees none. Thread-safe. */
public final class Mdc {
    /** What SLF4J's own backends without a context have, and SLF4J itself without a backend. */
    private static final String DROPPING = "org.slf4j.helpers.NOPMDCAdapter";

    private final @Nullable MethodHandle get;
    private final @Nullable MethodHandle put;
    private final @Nullable MethodHandle remove;
    private final @Nullable MethodHandle adapter;

    private Mdc(
            @Nullable MethodHandle get,
            @Nullable MethodHandle put,
            @Nullable MethodHandle remove,
            @Nullable MethodHandle adapter) {
        this.get = get;
        this.put = put;
        this.remove = remove;
        this.adapter = adapter;
    }

    /** Looks {@code org.slf4j.MDC} up in {@code loader}. */
    public static Mdc seenBy(@Nullable ClassLoader loader) {
        try {
            Class<?> mdc = Class.forName("org.slf4j.MDC", false, loader);
            Class<?> adapter = Class.forName("org.slf4j.spi.MDCAdapter", false, mdc.getClassLoader());
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            return new Mdc(
                    lookup.findStatic(mdc, "get", MethodType.methodType(String.class, String.class)),
                    lookup.findStatic(mdc, "put", MethodType.methodType(void.class, String.class, String.class)),
                    lookup.findStatic(mdc, "remove", MethodType.methodType(void.class, String.class)),
                    lookup.findStatic(mdc, "getMDCAdapter", MethodType.methodType(adapter))
                            .asType(MethodType.methodType(Object.class)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            return new Mdc(null, null, null, null);
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

    /** Sets the value on this thread; null for none. */
    void set(String key, @Nullable String value) {
        if (put == null || remove == null) {
            return;
        }
        try {
            if (value == null) {
                remove.invokeExact(key);
            } else {
                put.invokeExact(key, value);
            }
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("MDC.put failed", checked);
        }
    }

    /** Whether SLF4J has a backend, or none, that keeps nothing of what is put into its context. */
    public boolean isDropped() {
        if (adapter == null) {
            return false;
        }
        try {
            Object present = (Object) adapter.invokeExact();
            return present != null && present.getClass().getName().equals(DROPPING);
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("MDC.getMDCAdapter failed", checked);
        }
    }
}
