package io.tokenbudget.core.estimates;

import org.jspecify.annotations.Nullable;

/**
 * The size of a picture.
 *
 * @param width pixels, 1 to 65,535
 * @param height pixels, 1 to 65,535
 */
record ImageSize(int width, int height) {
    /** Taken where the size cannot be known: a photograph of two megapixels. */
    static final ImageSize ASSUMED = new ImageSize(1600, 1200);

    private static final int LARGEST = 65_535;
    private static final int MOST_SEGMENTS = 256;

    /** Holds both sides to what a picture may have. */
    ImageSize {
        width = Math.max(1, Math.min(width, LARGEST));
        height = Math.max(1, Math.min(height, LARGEST));
    }

    /** The size that the header of a PNG, JPEG, GIF or WebP file says; null for anything else. */
    static @Nullable ImageSize of(MediaData file) {
        if (file.has(1, "PNG\r\n") && file.has(12, "IHDR")) {
            return valid(file.number(16, 4, false), file.number(20, 4, false));
        }
        if (file.has(0, "GIF8")) {
            return valid(file.number(6, 2, true), file.number(8, 2, true));
        }
        if (file.has(0, "RIFF") && file.has(8, "WEBP")) {
            return webp(file);
        }
        return file.number(0, 2, false) == 0xFFD8 ? jpeg(file) : null;
    }

    /** The three kinds of a WebP file: lossy, lossless and extended. */
    private static @Nullable ImageSize webp(MediaData file) {
        if (file.has(12, "VP8 ")) {
            return valid(file.number(26, 2, true) & 0x3FFF, file.number(28, 2, true) & 0x3FFF);
        }
        if (file.has(12, "VP8L")) {
            long bits = file.number(21, 4, true);
            return bits < 0 ? null : valid((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1);
        }
        if (file.has(12, "VP8X")) {
            return valid(file.number(24, 3, true) + 1, file.number(27, 3, true) + 1);
        }
        return null;
    }

    /** Goes from segment to segment to the one that begins the frame. */
    private static @Nullable ImageSize jpeg(MediaData file) {
        long at = 2;
        for (int i = 0; i < MOST_SEGMENTS && file.at(at) == 0xFF; i++) {
            int marker = file.at(at + 1);
            if (marker == 0xFF) {
                at++;
            } else if (beginsFrame(marker)) {
                return valid(file.number(at + 7, 2, false), file.number(at + 5, 2, false));
            } else {
                long length = file.number(at + 2, 2, false);
                if (length < 2) {
                    return null;
                }
                at += 2 + length;
            }
        }
        return null;
    }

    private static boolean beginsFrame(int marker) {
        return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    }

    private static @Nullable ImageSize valid(long width, long height) {
        boolean possible = width > 0 && height > 0 && width <= LARGEST && height <= LARGEST;
        return possible ? new ImageSize((int) width, (int) height) : null;
    }
}
