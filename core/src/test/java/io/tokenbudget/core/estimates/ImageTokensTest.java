package io.tokenbudget.core.estimates;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C3 estimate: pictures, sound, films and documents by each provider's formula")
class ImageTokensTest {
    /** Worked examples: of OpenAI's, Anthropic's and Google's documentation, and the formula applied by hand. */
    @ParameterizedTest(name = "{0}: {1} x {2}, {3} is {4}")
    @CsvSource({
        "gpt-4o, 1024, 1024, high, 765",
        "gpt-4o, 2048, 4096, high, 1105",
        "gpt-4o, 4096, 8192, low, 85",
        "gpt-4o, 2048, 4096, auto, 1105",
        "gpt-4o, 512, 512, HIGH, 255",
        "openai/gpt-4.1, 1024, 1024, , 765",
        "gpt-4o-mini, 1024, 1024, high, 25501",
        "gpt-4o-mini-2024-07-18, 128, 64, high, 8500",
        "gpt-4o-mini, 4096, 8192, low, 2833",
        "o1, 1024, 1024, high, 675",
        "o3-2025-04-16, 128, 64, low, 75",
        "gpt-5, 1024, 1024, high, 630",
        "computer-use-preview, 1024, 1024, high, 581",
        "gpt-4.1-mini, 1024, 1024, high, 1659",
        "gpt-4.1-mini, 1800, 2400, low, 2353",
        "gpt-4.1-nano, 1024, 1024, , 2520",
        "o4-mini, 1800, 2400, , 2498",
        "claude-sonnet-4-5, 200, 200, , 64",
        "claude-sonnet-4-5, 1000, 1000, , 1296",
        "claude-sonnet-4-5, 1092, 1092, , 1521",
        "anthropic.claude-3-5-sonnet-20241022-v2:0, 1568, 728, , 1456",
        "claude-sonnet-4-5, 8000, 6000, low, 1568",
        "claude-opus-4-7, 8000, 8000, , 4784",
        "gemini-2.0-flash, 384, 384, , 258",
        "gemini-2.5-pro, 960, 540, , 1548",
        "gemini-2.5-pro, 385, 384, , 1032",
        "gemini-2.5-pro, 6144, 6144, , 4128",
        "gemini-2.5-pro, 60000, 4, , 3096",
        "gemini-3-pro-preview, 64, 64, , 1120",
        "llama3.2-vision, 1092, 1092, , 1521"
    })
    void countsPictures(String model, int width, int height, String detail, long tokens) {
        ModelTokens of = new ModelTokens(model);

        assertThat(ImageTokens.of(of, new ImageSize(width, height), "low".equalsIgnoreCase(detail)))
                .isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource({
        "gemini-2.5-flash, 1920, 15780, 516",
        "gemini-3-pro, 1920, 6120, 1120",
        "gpt-4o-audio-preview, 600, 15780, 3000",
        "claude-sonnet-4, 600, 15780, 6000"
    })
    void assumesAMinuteOfSoundOrFilmAndTwoPagesWhereOnlyAnAddressIsKnown(
            String model, long audio, long video, long pdf) {
        RequestTokens tokens = new ModelEstimates(() -> false).request(model);

        assertThat(tokens.audio(null)).isEqualTo(audio);
        assertThat(tokens.video(null)).isEqualTo(video);
        assertThat(tokens.pdf(null)).isEqualTo(pdf);
    }

    @Test
    void readsHowLongAWaveFileIs() {
        byte[] wave = new byte[44 + 10 * 32_000];
        byte[] header = {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' '};
        System.arraycopy(header, 0, wave, 0, header.length);
        ByteBuffer.wrap(wave).order(ByteOrder.LITTLE_ENDIAN).putInt(28, 32_000);

        assertThat(new ModelEstimates(() -> false).request("gemini-2.0-flash").audio(MediaData.of(wave)))
                .isEqualTo(11 * 32);
    }

    @Test
    void takesTheLengthOfOtherFilesFromTheirSize() {
        RequestTokens gemini = new ModelEstimates(() -> false).request("gemini-2.0-flash");

        assertThat(gemini.medium("audio/mp3", MediaData.of(new byte[160_000]))).isEqualTo(10 * 32);
        assertThat(gemini.medium("video/mp4", MediaData.of(new byte[1_250_000])))
                .isEqualTo(10 * 263);
        assertThat(gemini.medium("application/pdf", MediaData.of(new byte[120_000])))
                .isEqualTo(3 * 258);
        assertThat(gemini.medium("application/pdf", MediaData.of(new byte[0]))).isEqualTo(258);
        assertThat(gemini.medium(null, null))
                .isEqualTo(gemini.image(null, null))
                .isPositive();
    }
}
