package io.tokenbudget.core.estimates;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName(
        "C3 estimate: whatever a file says of itself, no medium counts as nothing or as more than its provider takes")
class CraftedMediaTest {
    private static final int[] EXTREME = {
        Integer.MIN_VALUE, -1, 0, 1, 31, 255, 257, 384, 385, 769, 2049, 3072, 3073, 65_535, 65_536, Integer.MAX_VALUE
    };
    private static final int[] LENGTHS = {0, 1, 44, 1_000_000, 60_000_000};

    /** The largest of each formula: most tiles or patches, longest sound and film, most pages. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "gpt-4o, 1445, 342_000, 1_893_600, 1_500_000",
        "gpt-4o-mini, 48_169, 342_000, 1_893_600, 1_500_000",
        "gpt-5, 1190, 342_000, 1_893_600, 1_500_000",
        "o3, 1275, 342_000, 1_893_600, 1_500_000",
        "computer-use-preview, 1097, 342_000, 1_893_600, 1_500_000",
        "gpt-4.1-mini, 2489, 342_000, 1_893_600, 1_500_000",
        "gpt-4.1-nano, 3779, 342_000, 1_893_600, 1_500_000",
        "o4-mini, 2642, 342_000, 1_893_600, 1_500_000",
        "claude-sonnet-4-5, 1568, 342_000, 1_893_600, 3_000_000",
        "claude-opus-4-7, 4784, 342_000, 1_893_600, 3_000_000",
        "gemini-2.5-pro, 6192, 1_094_400, 1_893_600, 258_000",
        "gemini-3-pro, 1120, 1_094_400, 734_400, 560_000",
        "nobody-knows, 1568, 342_000, 1_893_600, 3_000_000",
    })
    void isHeldToWhatItsProviderTakes(String model, String image, String audio, String video, String pdf) {
        RequestTokens tokens = new ModelEstimates(() -> false).request(model);
        ModelTokens formulas = new ModelTokens(model);
        for (int[] size : sizes()) {
            String called = size[0] + " x " + size[1];
            for (boolean low : new boolean[] {true, false}) {
                assertThat(ImageTokens.of(formulas, new ImageSize(size[0], size[1]), low))
                        .as(called)
                        .isBetween(1L, number(image));
            }
            for (MediaData picture : pictures(size[0], size[1])) {
                assertThat(tokens.image(picture, "high")).as(called).isBetween(1L, number(image));
            }
        }
        for (int length : LENGTHS) {
            byte[] bytes = new byte[length];
            for (int rate : EXTREME) {
                assertThat(tokens.audio(wave(bytes, rate))).as("rate %d", rate).isBetween(1L, number(audio));
                assertThat(tokens.video(wave(bytes, rate))).as("rate %d", rate).isBetween(1L, number(video));
            }
            assertThat(tokens.pdf(MediaData.of(bytes))).isBetween(1L, number(pdf));
        }
        byte[] large = new byte[60_000_000];
        assertThat(tokens.pdf(MediaData.of(large))).isEqualTo(number(pdf));
        assertThat(tokens.audio(wave(large, 1_000))).isEqualTo(number(audio));
        assertThat(tokens.video(wave(large, 1_000))).isEqualTo(number(video));
    }

    private static long number(String text) {
        return Long.parseLong(text.replace("_", ""));
    }

    /** All pairs of extremes, and others that nobody has chosen. */
    private static List<int[]> sizes() {
        List<int[]> sizes = new ArrayList<>();
        for (int width : EXTREME) {
            for (int height : EXTREME) {
                sizes.add(new int[] {width, height});
            }
        }
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            sizes.add(new int[] {random.nextInt() >> random.nextInt(32), random.nextInt() >> random.nextInt(32)});
        }
        return sizes;
    }

    private static List<MediaData> pictures(int width, int height) {
        byte[] png = bytes("\u0089PNG\r\n\u001a\n....IHDR");
        byte[] gif = bytes("GIF89a..........");
        byte[] webp = bytes("RIFF....WEBPVP8X");
        byte[] jpeg = bytes("\u00ff\u00d8\u00ff\u00c0..........");
        ByteBuffer.wrap(png).putInt(16, width).putInt(20, height);
        little(gif).putShort(6, (short) width).putShort(8, (short) height);
        little(webp).putInt(24, width).putInt(27, height);
        ByteBuffer.wrap(jpeg).putShort(9, (short) width).putShort(7, (short) height);
        return List.of(MediaData.of(png), MediaData.of(gif), MediaData.of(webp), MediaData.of(jpeg));
    }

    private static byte[] bytes(String begin) {
        byte[] bytes = new byte[64];
        byte[] latin = begin.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(latin, 0, bytes, 0, latin.length);
        return bytes;
    }

    private static MediaData wave(byte[] bytes, int rate) {
        byte[] begin = bytes("RIFF....WAVEfmt ");
        little(begin).putInt(28, rate);
        System.arraycopy(begin, 0, bytes, 0, Math.min(bytes.length, 44));
        return MediaData.of(bytes);
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
