package io.tokenbudget.agent;

/**
 * One method that calls a model, to be woven wherever a subtype of {@code superType} declares it.
 *
 * @param superType the framework's type, which itself stays as it is
 * @param method the method's name
 * @param descriptor its exact descriptor: overloads and generic bridges differ in it
 * @param advice the class in {@code io.tokenbudget.agent.advice} that is called before and after
 * @param kind what such calls are, in the plural: {@code "streaming calls of LangChain4j"}; empty if it is no call but
 *     a part of one
 */
record Hook(String superType, String method, String descriptor, String advice, String kind) {
    private static final String ADVICES = "io.tokenbudget.agent.advice.";

    /** Calls that get a reservation. */
    static Hook metered(String advice, String kind, String superType, String method, String descriptor) {
        return new Hook(superType, method, descriptor, ADVICES + advice, kind);
    }

    /** Calls that pass and are counted. */
    static Hook counted(String kind, String superType, String method, String descriptor) {
        return new Hook(superType, method, descriptor, ADVICES + "UnmeteredAdvice", kind);
    }
}
