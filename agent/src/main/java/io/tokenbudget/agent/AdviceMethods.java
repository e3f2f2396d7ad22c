package io.tokenbudget.agent;

import io.tokenbudget.core.metering.CallMeter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The two methods of an advice, found together: a woven method must never have one without the other, because the first
 * opens what the second closes. The second takes what the first returned as its first parameter.
 */
record AdviceMethods(MethodHandle enter, MethodHandle exit) {
    private static final MethodHandle COUNT;
    private static final MethodHandle COUNTED;
    private static final MethodHandle WITH_ARGUMENT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findStatic(
                    Unmetered.class,
                    "enterSilently",
                    MethodType.methodType(Object.class, CallMeter.class, String.class));
            COUNTED = lookup.findStatic(Unmetered.class, "exit", MethodType.methodType(Throwable.class, Object.class));
            WITH_ARGUMENT = lookup.findStatic(
                    AdviceMethods.class,
                    "withArgument",
                    MethodType.methodType(Object[].class, Object.class, Object.class));
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

    /**
     * The first method with as many of the parameters of {@code type} as it lacks, ignored. Where the advice would return what
     * it was called with and an argument to replace, its last, that argument stays as it is.
     */
    MethodHandle enter(MethodType type) {
        MethodHandle padded = padded(enter, type);
        if (type.returnType() != Object[].class || enter.type().returnType() == Object[].class) {
            return padded;
        }
        int last = type.parameterCount() - 1;
        MethodHandle generic = padded.asType(padded.type().generic());
        MethodHandle both = MethodHandles.collectArguments(WITH_ARGUMENT, 0, generic);
        int[] order = new int[last + 2];
        for (int i = 0; i <= last; i++) {
            order[i] = i;
        }
        order[last + 1] = last;
        return MethodHandles.permuteArguments(both, padded.type().generic().changeReturnType(Object[].class), order);
    }

    @SuppressWarnings("unused") // through WITH_ARGUMENT
    private static Object @Nullable [] withArgument(@Nullable Object entered, Object argument) {
        return entered == null ? null : new Object[] {entered, argument};
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
