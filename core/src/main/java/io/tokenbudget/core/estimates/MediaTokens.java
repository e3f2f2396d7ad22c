package io.tokenbudget.core.estimates;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What sound, films and documents count as. How long they are is known of WAV files; otherwise it is taken from the size of
 * the file, and where there is no file, assumed. Stateless.
 */
final class MediaTokens {
    private static final long SECONDS_ASSUMED = 60;
    private static final long PAGES_ASSUMED = 2;
    private static final long BYTES_OF_SOUND_A_SECOND = 16_000;
    private static final long BYTES_OF_FILM_A_SECOND = 125_000;
    private static final long BYTES_OF_A_PAGE = 50_000;

    /** "The maximum supported length of audio data in a single prompt is 9.5 hours": "Audio understanding" of Gemini. */
    private static final long MOST_SECONDS_OF_SOUND = 34_200;

    /** The longest film of those models of Gemini that take two million tokens; of others it is half of that. */
    private static final long MOST_SECONDS_OF_FILM = 7_200;

    /** "Document understanding" of Gemini. */
    private static final long MOST_PAGES = 1_000;

    /** A header may say anything; no recording has less, and none more. */
    private static final long FEWEST_BYTES_OF_WAVE_A_SECOND = 1_000;

    private static final long MOST_BYTES_OF_WAVE_A_SECOND = 16_000_000;

    private static final Pattern EARLY_GEMINI = Pattern.compile("gemini-[12]([.-]|$)");

    private MediaTokens() {}

    /** Gemini counts 32 tokens a second; OpenAI, and for want of anything better others, 10. */
    static long audio(ModelTokens model, @Nullable MediaData sound) {
        return seconds(sound, BYTES_OF_SOUND_A_SECOND, MOST_SECONDS_OF_SOUND)
                * (model.family == ModelFamily.GEMINI ? 32 : 10);
    }

    /** Gemini counts 263 tokens a second, since version 3 about 70 and the sound; nobody else takes films yet. */
    static long video(ModelTokens model, @Nullable MediaData film) {
        boolean frugal = model.family == ModelFamily.GEMINI && !isEarlyGemini(model);
        return seconds(film, BYTES_OF_FILM_A_SECOND, MOST_SECONDS_OF_FILM) * (frugal ? 102 : 263);
    }

    /**
     * Anthropic counts a page as 1,500 to 3,000 tokens of text and as a picture; Gemini as 258, since version 3 as 560; OpenAI
     * as its text and a picture.
     */
    static long pdf(ModelTokens model, @Nullable MediaData document) {
        long pages = document == null ? PAGES_ASSUMED : upTo(MOST_PAGES, document.length(), BYTES_OF_A_PAGE);
        return pages
                * switch (model.family) {
                    case GEMINI -> isEarlyGemini(model) ? 258 : 560;
                    case OPENAI -> 1_500;
                    case ANTHROPIC, OTHER -> 3_000;
                };
    }

    private static boolean isEarlyGemini(ModelTokens model) {
        return EARLY_GEMINI.matcher(model.name).find();
    }

    private static long seconds(@Nullable MediaData medium, long bytesASecond, long most) {
        if (medium == null) {
            return SECONDS_ASSUMED;
        }
        // "RIFF" size "WAVE" "fmt " size format channels rate bytes-a-second
        boolean wave = medium.has(0, "RIFF") && medium.has(8, "WAVEfmt ");
        long rate = wave ? medium.number(28, 4, true) : bytesASecond;
        boolean possible = rate >= FEWEST_BYTES_OF_WAVE_A_SECOND && rate <= MOST_BYTES_OF_WAVE_A_SECOND;
        return upTo(most, medium.length(), possible ? rate : bytesASecond);
    }

    private static long upTo(long most, long length, long each) {
        return Math.max(1, Math.min(most, (length + each - 1) / each));
    }
}
