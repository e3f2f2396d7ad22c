package io.tokenbudget.langchain4j;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import javax.imageio.ImageIO;

/** Black pictures. */
final class Pictures {
    private Pictures() {}

    /** A PNG file in Base64. */
    static String png(int width, int height) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try {
            ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_BYTE_BINARY), "png", file);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        return Base64.getEncoder().encodeToString(file.toByteArray());
    }
}
