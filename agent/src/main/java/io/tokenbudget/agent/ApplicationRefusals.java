package io.tokenbudget.agent;

import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import io.tokenbudget.core.metering.RefusalFactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes refusals of the application's own {@code LimitExceededException}, so that it can catch them by type. The stack
 * trace begins at the method that was refused. Immutable.
 */
final class ApplicationRefusals implements RefusalFactory {
    private final MethodHandle constructor;
    private final Map<RefusalReason, Object> reasons = new EnumMap<>(RefusalReason.class);

    /**
     * @param application has {@code token-budget-annotations}
     * @throws ReflectiveOperationException if it is of a version that does not fit
     */
    ApplicationRefusals(ClassLoader application) throws ReflectiveOperationException {
        Class<?> exception = Class.forName(LimitExceededException.class.getName(), false, application);
        Class<?> reason = Class.forName(RefusalReason.class.getName(), true, application);
        for (RefusalReason ours : RefusalReason.values()) {
            reasons.put(ours, sameName(reason, ours));
        }
        MethodType parameters = MethodType.methodType(
                void.class, String.class, String.class, String.class, long.class, long.class, Duration.class, reason);
        this.constructor = MethodHandles.publicLookup()
                .findConstructor(exception, parameters)
                .asType(parameters
                        .changeReturnType(RuntimeException.class)
                        .changeParameterType(parameters.parameterCount() - 1, Object.class));
    }

    /** Refusals of the agent's own class, for an application that has none. */
    static RefusalFactory ours() {
        return ApplicationRefusals::withoutOurFrames;
    }

    @Override
    public RuntimeException toThrow(LimitExceededException refusal) {
        try {
            Object reason = reasons.get(refusal.reason());
            @Nullable Duration retryAfter = refusal.retryAfter();
            return withoutOurFrames((RuntimeException) constructor.invokeExact(
                    refusal.getMessage(),
                    refusal.scope(),
                    refusal.limit(),
                    refusal.requested(),
                    refusal.remaining(),
                    retryAfter,
                    reason));
        } catch (RuntimeException | Error fault) {
            throw fault;
        } catch (Throwable checked) {
            throw new IllegalStateException("LimitExceededException cannot be made", checked);
        }
    }

    private static Object sameName(Class<?> reason, RefusalReason ours) throws NoSuchFieldException {
        for (Object theirs : reason.getEnumConstants()) {
            if (((Enum<?>) theirs).name().equals(ours.name())) {
                return theirs;
            }
        }
        // A version of the annotations from before there was this reason.
        return ours == RefusalReason.LIMIT_REACHED
                ? missing(reason, ours)
                : sameName(reason, RefusalReason.LIMIT_REACHED);
    }

    private static Object missing(Class<?> reason, RefusalReason ours) throws NoSuchFieldException {
        throw new NoSuchFieldException(reason.getName() + "." + ours.name());
    }

    private static RuntimeException withoutOurFrames(RuntimeException refusal) {
        StackTraceElement[] trace = refusal.getStackTrace();
        int first = 0;
        while (first < trace.length && trace[first].getClassName().startsWith("io.tokenbudget.")) {
            first++;
        }
        refusal.setStackTrace(Arrays.copyOfRange(trace, first, trace.length));
        return refusal;
    }
}
