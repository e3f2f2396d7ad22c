package dev.langchain4j.service.tool;

/** As LangChain4j has it since 1.4, with what it answers. */
public interface ToolExecutionErrorHandler {
    Object handle(Throwable error, Object context);
}
