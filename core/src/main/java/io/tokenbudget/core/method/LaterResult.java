package io.tokenbudget.core.method;

/**
 * One kind of result that a method returns before it has done its work, such as a {@link
 * java.util.concurrent.CompletionStage}. Thread-safe.
 */
public interface LaterResult {

    /** Whether {@code returned}, which is not null, is of this kind. */
    boolean isOf(Object returned);

    /**
     * Whether what a method with this return type returns does its work when somebody asks for it, and as often, so that the
     * method itself does none: then {@link MethodCall#holdUpFront} is for each time that it does, and {@link #goesOn} takes it
     * over.
     */
    default boolean beginsLater(Class<?> returnType) {
        return false;
    }

    /**
     * The result for the caller, whose work goes on in the run. Whoever takes it over ends {@link MethodCall#upFront} when that
     * work has ended.
     *
     * @param returned of this kind
     * @param call the call that has returned it
     * @return of a type that the method may return
     */
    Object goesOn(Object returned, MethodCall call);
}
