package dev.langchain4j.model.chat.response;

/** As LangChain4j has it since 1.8. */
public interface StreamingHandle {
    void cancel();

    boolean isCancelled();
}
