package io.tokenbudget.core.estimates;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C3 estimate: the size of a picture from its header")
class ImageSizeTest {
    private static final ImageSize SIZE = new ImageSize(517, 301);

    private static byte[] file(String format) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        assertThat(ImageIO.write(new BufferedImage(517, 301, BufferedImage.TYPE_INT_RGB), format, file))
                .isTrue();
        return file.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"png", "jpg", "gif"})
    void readsWhatTheJdkWrites(String format) throws IOException {
        byte[] file = file(format);

        assertThat(ImageSize.of(MediaData.of(file))).isEqualTo(SIZE);
        String base64 = Base64.getEncoder().encodeToString(file);
        assertThat(ImageSize.of(MediaData.ofBase64(base64))).isEqualTo(SIZE);
        MediaData url = MediaData.ofUrl("data:image/" + format + ";base64," + base64);
        assertThat(ImageSize.of(Objects.requireNonNull(url))).isEqualTo(SIZE);
    }

    @Test
    void findsTheFrameOfAJpegBehindALargeThumbnail() throws IOException {
        byte[] file = file("jpg");
        byte[] exif = new byte[2 + 60_000];
        exif[0] = (byte) 0xFF;
        exif[1] = (byte) 0xE1;
        ByteBuffer.wrap(exif).putShort(2, (short) 60_000);
        byte[] with = new byte[file.length + exif.length];
        System.arraycopy(file, 0, with, 0, 2);
        System.arraycopy(exif, 0, with, 2, exif.length);
        System.arraycopy(file, 2, with, 2 + exif.length, file.length - 2);

        assertThat(ImageSize.of(MediaData.of(with))).isEqualTo(SIZE);
    }

    /** Headers as the specification of WebP lays them out: lossy, lossless, extended. */
    @ParameterizedTest
    @CsvSource({
        "52494646000000005745425056503820000000000000009d012a05022d01",
        "5249464600000000574542505650384c000000002f04024b00",
        "524946460000000057454250565038580a000000000000000402002c0100"
    })
    void readsTheThreeKindsOfWebP(String hex) {
        byte[] file = Arrays.copyOf(HexFormat.of().parseHex(hex), 64);

        assertThat(ImageSize.of(MediaData.of(file))).isEqualTo(SIZE);
    }

    @Test
    void saysNothingOfWhatIsNoPictureAndNeverThrows() throws IOException {
        assertThat(ImageSize.of(MediaData.of(new byte[0]))).isNull();
        assertThat(ImageSize.of(MediaData.ofBase64("not base64!"))).isNull();
        assertThat(ImageSize.of(MediaData.of("<svg/>".getBytes(StandardCharsets.UTF_8))))
                .isNull();
        assertThat(MediaData.ofUrl("https://localhost/picture.png")).isNull();
        assertThat(MediaData.ofUrl("data:,text")).isNull();
        assertThat(MediaData.ofUrl(null)).isNull();
        Random random = new Random(3);
        for (String format : new String[] {"png", "jpg", "gif"}) {
            byte[] file = file(format);
            for (int cut = 0; cut < 200; cut++) {
                ImageSize size = ImageSize.of(MediaData.of(Arrays.copyOf(file, cut)));
                assertThat(size == null || size.equals(SIZE))
                        .as("%s cut at %d", format, cut)
                        .isTrue();
                byte[] broken = file.clone();
                broken[random.nextInt(100)] = (byte) random.nextInt();
                ImageSize other = ImageSize.of(MediaData.of(broken));
                assertThat(other == null || other.width() > 0).isTrue();
            }
        }
    }

    @Test
    void readsTheHeaderOfAHugePictureWithoutReadingThePicture() throws IOException {
        String base64 = Base64.getEncoder().encodeToString(Arrays.copyOf(file("png"), 30_000_000));

        assertThat(ImageSize.of(MediaData.ofBase64(base64))).isEqualTo(SIZE);
    }
}
