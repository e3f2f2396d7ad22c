package io.tokenbudget.core.method;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The method that is called instead when a limit refuses: the same parameters, or the refusal after them. Immutable.
 */
final class Fallback {
    private static final String REFUSAL = "io.tokenbudget.LimitExceededException";

    private final CallableMethod method;
    private final boolean takesRefusal;

    private Fallback(CallableMethod method, boolean takesRefusal) {
        this.method = method;
        this.takesRefusal = takesRefusal;
    }

    /**
     * @param target the class of the object that {@code annotated} is called on
     * @param sameName the methods of that name
     * @throws InvalidTokenBudgetException if there is none of that name, or none that fits
     */
    static Fallback find(MethodSignature annotated, Class<?> target, String name, List<CallableMethod> sameName) {
        List<CallableMethod> others = sameName.stream()
                .filter(candidate -> !isSame(candidate.signature(), annotated))
                .toList();
        for (CallableMethod candidate : others) {
            @Nullable Fallback fitting = fitting(annotated, candidate);
            if (fitting != null) {
                return fitting;
            }
        }
        throw InvalidTokenBudgetException.on(annotated, problem(annotated, target, name, others));
    }

    private static boolean isSame(MethodSignature one, MethodSignature other) {
        return one.declaring() == other.declaring()
                && one.name().equals(other.name())
                && one.parameterTypes().equals(other.parameterTypes());
    }

    private static @Nullable Fallback fitting(MethodSignature annotated, CallableMethod candidate) {
        List<Class<?>> given = annotated.parameterTypes();
        List<Class<?>> taken = candidate.signature().parameterTypes();
        boolean more = taken.size() == given.size() + 1 && isRefusal(taken.get(given.size()));
        if (!more && taken.size() != given.size()) {
            return null;
        }
        for (int i = 0; i < given.size(); i++) {
            Class<?> each = taken.get(i);
            if (each != given.get(i) && (each.isPrimitive() || !each.isAssignableFrom(given.get(i)))) {
                return null;
            }
        }
        if (!annotated.returnType().isAssignableFrom(candidate.signature().returnType())) {
            return null;
        }
        if (annotated.isStatic() && !candidate.signature().isStatic()) {
            return null;
        }
        return new Fallback(candidate, more);
    }

    private static boolean isRefusal(Class<?> type) {
        return type.getName().equals(REFUSAL)
                || (type != Object.class && type.isAssignableFrom(RuntimeException.class));
    }

    private static String problem(
            MethodSignature annotated, Class<?> target, String name, List<CallableMethod> sameName) {
        String found = sameName.isEmpty()
                ? "none of that name"
                : sameName.stream()
                        .map(each -> each.signature().inItsClass())
                        .sorted()
                        .collect(Collectors.joining("; "));
        return "found fallback = \"" + name + "\", but " + target.getName() + " has " + found + "; allowed: "
                + (annotated.isStatic() ? "static " : "")
                + annotated.returnType().getSimpleName() + " " + name
                + MethodSignature.types(annotated.parameterTypes())
                + ", or the same with a LimitExceededException as the last parameter";
    }

    /**
     * @param target null for a static method
     * @throws Throwable what the method throws
     */
    @Nullable
    Object call(@Nullable Object target, @Nullable Object[] arguments, RuntimeException refusal) throws Throwable {
        @Nullable Object[] all = arguments;
        if (takesRefusal) {
            all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = refusal;
        }
        return method.call(method.signature().isStatic() ? null : target, all);
    }
}
