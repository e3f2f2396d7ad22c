package dev.langchain4j.exception;

/** As LangChain4j has it since 1.2; the version that is compiled against does not. */
public class ContentFilteredException extends InvalidRequestException {
    private static final long serialVersionUID = 1L;

    public ContentFilteredException(String message) {
        super(message);
    }
}
