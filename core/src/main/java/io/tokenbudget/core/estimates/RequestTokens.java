package io.tokenbudget.core.estimates;

import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one request to one model holds. Short texts of OpenAI's models are counted with their vocabulary, up to 1,000
 * characters of a request; everything else by calibrated length. Not thread-safe.
 */
public final class RequestTokens {
    /** A vocabulary takes 60 nanoseconds for a character of English and nine times that for one of Chinese. */
    static final int MOST_CHARACTERS_EXACTLY = 1_000;

    private final ModelTokens model;
    private final @Nullable ToIntFunction<String> counter;
    private int charactersLeft = MOST_CHARACTERS_EXACTLY;

    RequestTokens(ModelTokens model, boolean exact) {
        this.model = model;
        this.counter = exact && model.vocabulary != null ? Vocabularies.counter(model.vocabulary) : null;
    }

    /** Tokens of a text: zero for null or empty text and at least one for any other. */
    public long text(@Nullable CharSequence text) {
        if (text == null || text.length() == 0) {
            return 0;
        }
        if (counter != null && text.length() <= charactersLeft) {
            charactersLeft -= text.length();
            return counter.applyAsInt(text.toString());
        }
        Vocabulary vocabulary = model.vocabulary == null ? Vocabulary.O200K : model.vocabulary;
        return model.family.scaled(TextLength.of(text, vocabulary));
    }

    /**
     * Tokens of a picture.
     *
     * @param picture its bytes, of which only the header is read; null if only an address is known
     * @param detail as OpenAI's models are told, {@code low}, {@code high} or {@code auto} in any case; null if nothing is
     */
    public long image(@Nullable MediaData picture, @Nullable String detail) {
        ImageSize size = picture == null ? null : ImageSize.of(picture);
        return ImageTokens.of(model, size == null ? ImageSize.ASSUMED : size, "low".equalsIgnoreCase(detail));
    }

    /** Tokens of sound; null if only an address is known, which counts as a minute. */
    public long audio(@Nullable MediaData sound) {
        return MediaTokens.audio(model, sound);
    }

    /** Tokens of a film; null if only an address is known, which counts as a minute. */
    public long video(@Nullable MediaData film) {
        return MediaTokens.video(model, film);
    }

    /** Tokens of a PDF document; null if only an address is known, which counts as two pages. */
    public long pdf(@Nullable MediaData document) {
        return MediaTokens.pdf(model, document);
    }

    /** Tokens of a medium of whatever type, such as {@code image/png}; an unknown type counts as a picture. */
    public long medium(@Nullable String type, @Nullable MediaData medium) {
        if (type != null && type.startsWith("audio/")) {
            return audio(medium);
        }
        if (type != null && type.startsWith("video/")) {
            return video(medium);
        }
        return type != null && type.startsWith("application/pdf") ? pdf(medium) : image(medium, null);
    }
}
