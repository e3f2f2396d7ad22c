package io.tokenbudget.core.method;

/**
 * One kind of result that a method returns before it has done its work, such as a {@link
 * java.util.concurrent.CompletionStage}. Thread-safe.
 */
public interface LaterResult {

    /** Whether {@code returned}, which is not null, is of this kind. */
    boolean isOf(Object returned);

    /**
     * The result for the caller, whose work goes on in the run.
     *
     * @param returned of this kind
     * @param call the call that has returned it
     * @return of a type that the method may return
     */
    Object goesOn(Object returned, MethodCall call);
}
