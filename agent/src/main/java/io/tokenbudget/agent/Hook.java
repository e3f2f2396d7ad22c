package io.tokenbudget.agent;

/**
 * One method to be woven: wherever a subtype of {@code superType} declares it, or in that class alone.
 *
 * @param superType the framework's type, which itself stays as it is unless it is meant alone
 * @param exact whether it is the one class that is woven: for methods whose descriptor half the world has
 * @param method the method's name
 * @param descriptor its exact descriptor: overloads and generic bridges differ in it
 * @param advice the class in {@code io.tokenbudget.agent.advice} that is called before and after
 * @param kind what such calls are, in the plural: {@code "streaming calls of LangChain4j"}; empty if it is no call but
 *     a part of one
 */
record Hook(String superType, boolean exact, String method, String descriptor, String advice, String kind) {
    private static final String ADVICES = "io.tokenbudget.agent.advice.";
    private static final String COUNTING = ADVICES + "UnmeteredAdvice";

    /** Calls that get a reservation. */
    static Hook metered(String advice, String kind, String superType, String method, String descriptor) {
        return new Hook(superType, false, method, descriptor, ADVICES + advice, kind);
    }

    /** Calls that pass and are counted. */
    static Hook counted(String kind, String superType, String method, String descriptor) {
        return new Hook(superType, false, method, descriptor, COUNTING, kind);
    }

    /** A method of one class that is no call, but says which calls belong together. */
    static Hook ofClass(String advice, String className, String method, String descriptor) {
        return new Hook(className, true, method, descriptor, ADVICES + advice, "");
    }

    /** Whether it is a call that gets a reservation. */
    boolean isMetered() {
        return !kind.isEmpty() && !advice.equals(COUNTING);
    }
}
