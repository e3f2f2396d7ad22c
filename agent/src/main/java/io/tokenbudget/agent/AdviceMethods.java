package io.tokenbudget.agent;

import io.tokenbudget.core.metering.CallMeter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * The two methods of an advice, found together: a woven method must never have one without the other, because the first
 * opens what the second closes. The second takes what the first returned as its first parameter.
 */
record AdviceMethods(MethodHandle enter, MethodHandle exit) {
    private static final MethodHandle COUNT;
    private static final MethodHandle COUNTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findStatic(
                    Unmetered.class,
                    "enterSilently",
                    MethodType.methodType(Object.class, CallMeter.class, String.class));
            COUNTED = lookup.findStatic(Unmetered.class, "exit", MethodType.methodType(Throwable.class, Object.class));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The public static methods {@code enter} and {@code exit} of {@code advice}. */
    static AdviceMethods of(Class<?> advice) throws ReflectiveOperationException {
        MethodHandle enter = null;
        MethodHandle exit = null;
        for (Method method : advice.getMethods()) {
            if (method.getName().equals("enter")) {
                enter = MethodHandles.publicLookup().unreflect(method);
            } else if (method.getName().equals("exit")) {
                exit = MethodHandles.publicLookup().unreflect(method);
            }
        }
        if (enter == null || exit == null) {
            throw new NoSuchMethodException(advice.getName() + " must have public static methods enter and exit");
        }
        return new AdviceMethods(enter, exit);
    }

    /** What only counts the call, for a framework that cannot be metered. */
    static AdviceMethods counting(CallMeter meter, String kind) {
        return new AdviceMethods(MethodHandles.insertArguments(COUNT, 0, meter, kind), COUNTED);
    }

    /** What does nothing. */
    static AdviceMethods none() {
        return new AdviceMethods(
                MethodHandles.constant(Object.class, null), MethodHandles.constant(Throwable.class, null));
    }

    /** The first method with as many of the parameters of {@code type} as it lacks, ignored. */
    MethodHandle enter(MethodType type) {
        return padded(enter, type);
    }

    /** The second method with as many of the parameters of {@code type} as it lacks, ignored. */
    MethodHandle exit(MethodType type) {
        return padded(exit, type);
    }

    private static MethodHandle padded(MethodHandle method, MethodType type) {
        int known = method.type().parameterCount();
        return MethodHandles.dropArguments(method, known, type.parameterList().subList(known, type.parameterCount()));
    }
}
