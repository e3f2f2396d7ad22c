package io.tokenbudget.core.metering;

import java.util.regex.Pattern;

/**
 * What a model is asked for. Only a call of the same kind can be the same call seen one layer deeper: what is asked for inside
 * of another kind, such as a moderation inside of an image model, is a call of its own.
 */
public enum CallKind {
    /** Vectors of texts or pictures. */
    EMBEDDING("embedding"),
    /** Pictures. */
    IMAGE("image"),
    /** Whether a text may be said. */
    MODERATION("moderation"),
    /** The text of a recording. */
    TRANSCRIPTION("transcription"),
    /** A recording of a text. */
    SPEECH("speech"),
    /** How well texts fit a question. */
    SCORING("scoring"),
    /** A text that goes on from another one, as of the models before chats. */
    COMPLETION("completion|language"),
    /** The next message of a conversation. */
    CHAT("chat"),
    /** What a later version of a framework brings. */
    OTHER("");

    private final Pattern words;

    CallKind(String words) {
        this.words = Pattern.compile(words, Pattern.CASE_INSENSITIVE);
    }

    /**
     * The kind that is named in {@code name}: a type of a framework, {@code "dev.langchain4j.model.image.ImageModel"}, or what
     * its calls are called, {@code "image calls of LangChain4j"}. {@link #OTHER} if none is.
     */
    public static CallKind in(String name) {
        for (CallKind kind : values()) {
            if (kind.words.matcher(name).find()) {
                return kind;
            }
        }
        return OTHER;
    }

    /** Whether the answer is text, of as many tokens as a request or a configuration allows. */
    public boolean answersInTokens() {
        return this == CHAT || this == COMPLETION;
    }
}
