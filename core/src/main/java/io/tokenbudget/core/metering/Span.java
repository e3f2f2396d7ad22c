package io.tokenbudget.core.metering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** The current span of whatever OpenTelemetry API a class loader sees; nothing where it sees none. Thread-safe. */
final class Span {
    private final @Nullable MethodHandle current;
    private final @Nullable MethodHandle setAttribute;

    private Span(@Nullable MethodHandle current, @Nullable MethodHandle setAttribute) {
        this.current = current;
        this.setAttribute = setAttribute;
    }

    /** Looks {@code io.opentelemetry.api.trace.Span} up in {@code loader}. */
    static Span seenBy(@Nullable ClassLoader loader) {
        try {
            Class<?> span = Class.forName("io.opentelemetry.api.trace.Span", false, loader);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            return new Span(
                    lookup.findStatic(span, "current", MethodType.methodType(span))
                            .asType(MethodType.methodType(Object.class)),
                    lookup.findVirtual(span, "setAttribute", MethodType.methodType(span, String.class, String.class))
                            .asType(MethodType.methodType(void.class, Object.class, String.class, String.class)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            return new Span(null, null);
        }
    }

    /** Sets an attribute of the span that is current on this thread. */
    void set(String name, String value) {
        if (current == null || setAttribute == null) {
            return;
        }
        try {
            Object here = (Object) current.invokeExact();
            setAttribute.invokeExact(here, name, value);
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("writing to OpenTelemetry's span failed", checked);
        }
    }
}
