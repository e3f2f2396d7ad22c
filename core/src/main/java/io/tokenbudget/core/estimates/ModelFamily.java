package io.tokenbudget.core.estimates;

import java.util.Locale;

/** Whose formulas a model goes by. */
enum ModelFamily {
    OPENAI,
    ANTHROPIC,
    GEMINI,
    OTHER;

    /** By the model's name, as it is written at the vendor, at Bedrock, Azure, Vertex AI or a router of models. */
    static ModelFamily of(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        if (name.contains("claude")) {
            return ANTHROPIC;
        }
        if (name.contains("gemini")) {
            return GEMINI;
        }
        return Vocabulary.of(name) == null && !name.startsWith("computer-use") ? OTHER : OPENAI;
    }

    /**
     * {@code tokens} of GPT-4o in this family's. Where its vocabulary is not published, by what the vendors say of English:
     * 3.5 characters a token at Anthropic, 4 at OpenAI and Google.
     */
    long scaled(long tokens) {
        return this == ANTHROPIC ? (tokens * 8 + 6) / 7 : tokens;
    }
}
