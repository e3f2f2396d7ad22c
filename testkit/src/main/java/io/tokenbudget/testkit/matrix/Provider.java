package io.tokenbudget.testkit.matrix;

/** Whose format a model of the matrix speaks. */
public enum Provider {
    /** Chat completions. */
    OPENAI("OpenAI"),
    /** Messages. */
    ANTHROPIC("Anthropic"),
    /** Its own chat format. */
    OLLAMA("Ollama"),
    /** Google AI. */
    GEMINI("Gemini");

    private final String label;

    Provider(String label) {
        this.label = label;
    }

    /** Its name as people write it. */
    @Override
    public String toString() {
        return label;
    }
}
