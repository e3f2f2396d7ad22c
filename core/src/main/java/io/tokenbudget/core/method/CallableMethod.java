package io.tokenbudget.core.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method that can be called, by reflection or however its container calls it. Thread-safe. */
public interface CallableMethod {

    /** What it takes and returns. */
    MethodSignature signature();

    /**
     * @param target null for a static method
     * @throws Throwable what the method throws
     */
    @Nullable
    Object call(@Nullable Object target, @Nullable Object[] arguments) throws Throwable;

    /** The methods of one name that a class has, private and inherited ones too, as reflection finds and calls them. */
    static List<CallableMethod> of(Class<?> type, String name) {
        List<CallableMethod> found = new ArrayList<>();
        for (Class<?> each : SuperTypes.of(type)) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isBridge()) {
                    found.add(new Reflected(method, MethodSignature.of(method)));
                }
            }
        }
        return found;
    }

    /** Called by reflection. */
    record Reflected(Method method, MethodSignature signature) implements CallableMethod {
        @Override
        public @Nullable Object call(@Nullable Object target, @Nullable Object[] arguments) throws Throwable {
            method.setAccessible(true);
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause() == null ? thrown : thrown.getCause();
            }
        }
    }
}
