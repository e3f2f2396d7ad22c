package io.tokenbudget.launches.runs;

/** One thing that an application asks LangChain4j for. */
@FunctionalInterface
interface Scenario {
    /** Answers, or throws. */
    Object run(Models models) throws Exception;
}
