package io.tokenbudget.core.estimates;

import java.util.regex.Pattern;

/** What a picture counts as, by the formula that each provider publishes. Stateless. */
final class ImageTokens {
    private static final Pattern O_SERIES = Pattern.compile("(.*[/:])?o[134](-.*)?");
    private static final Pattern HIGH_RESOLUTION = Pattern.compile("opus-(4-[7-9]|[5-9])");
    private static final Pattern TILED_GEMINI = Pattern.compile("gemini-[12]([.-]|$)");

    private ImageTokens() {}

    /** @param low whether the request asks OpenAI for low detail; other providers know no such thing */
    static long of(ModelTokens model, ImageSize size, boolean low) {
        return switch (model.family) {
            case OPENAI -> openAi(model.name, size, low);
            case GEMINI -> gemini(model.name, size);
            case ANTHROPIC, OTHER -> anthropic(model.name, size);
        };
    }

    /**
     * "Images and vision" of OpenAI's documentation: models that count patches times a factor, and models that count a base
     * and tiles of 512 pixels.
     */
    private static long openAi(String name, ImageSize size, boolean low) {
        double factor = name.contains("gpt-4.1-mini") || name.contains("gpt-5-mini")
                ? 1.62
                : name.contains("gpt-4.1-nano") || name.contains("gpt-5-nano")
                        ? 2.46
                        : name.contains("o4-mini") ? 1.72 : 0;
        if (factor > 0) {
            return (long) Math.ceil(patches(size) * factor);
        }
        if (name.contains("4o-mini")) {
            return tiles(size, low, 2833, 5667);
        }
        if (name.contains("gpt-5")) {
            return tiles(size, low, 70, 140);
        }
        if (name.contains("computer-use")) {
            return tiles(size, low, 65, 129);
        }
        return O_SERIES.matcher(name).matches() ? tiles(size, low, 75, 150) : tiles(size, low, 85, 170);
    }

    /** Fits the picture into 2,048 pixels a side, then its shorter side into 768. */
    private static long tiles(ImageSize size, boolean low, long base, long tile) {
        if (low) {
            return base;
        }
        double width = size.width();
        double height = size.height();
        double fit = Math.min(1, 2048 / Math.max(width, height));
        fit *= Math.min(1, 768 / (Math.min(width, height) * fit));
        return base + tile * parts(width * fit, 512) * parts(height * fit, 512);
    }

    /** Patches of 32 pixels; of a picture that has more than 1,536 of them, those of one that is scaled down to fit. */
    private static long patches(ImageSize size) {
        long all = parts(size.width(), 32) * parts(size.height(), 32);
        if (all <= 1536) {
            return all;
        }
        double fit = Math.sqrt(32.0 * 32 * 1536 / ((double) size.width() * size.height()));
        double across = size.width() * fit / 32;
        double down = size.height() * fit / 32;
        fit *= Math.min(Math.floor(across) / across, Math.floor(down) / down);
        return Math.min(1536, Math.max(1, parts(size.width() * fit, 32) * parts(size.height() * fit, 32)));
    }

    /**
     * "Vision" of Anthropic's documentation: a token for 28 pixels square (about width times height by 750), of a picture
     * that is scaled down to fit 1,568 pixels a side and 1,568 tokens; since Opus 4.7, 2,576 pixels and 4,784 tokens.
     */
    private static long anthropic(String name, ImageSize size) {
        boolean high = HIGH_RESOLUTION.matcher(name).find();
        long longest = high ? 2576 : 1568;
        long most = high ? 4784 : 1568;
        double fit = Math.min(1, (double) longest / Math.max(size.width(), size.height()));
        return Math.min(most, parts(size.width() * fit, 28) * parts(size.height() * fit, 28));
    }

    /**
     * "Understand and count tokens" of Google's documentation: 258 tokens for a small picture and for each tile of a larger
     * one, whose tiles are two thirds of its shorter side and 256 to 768 pixels; "Image understanding" of Vertex AI: that is
     * of a picture scaled down to fit 3,072 pixels a side, which has 24 tiles at most. Since Gemini 3, 1,120 for any picture.
     */
    private static long gemini(String name, ImageSize size) {
        if (!TILED_GEMINI.matcher(name).find()) {
            return 1120;
        }
        if (size.width() <= 384 && size.height() <= 384) {
            return 258;
        }
        double fit = Math.min(1, 3072.0 / Math.max(size.width(), size.height()));
        double width = size.width() * fit;
        double height = size.height() * fit;
        double tile = Math.max(256, Math.min(768, Math.floor(Math.min(width, height) / 1.5)));
        return 258 * parts(width, tile) * parts(height, tile);
    }

    /** How many parts of {@code each} pixels cover {@code length}; rounding must not make one of a thousandth of a pixel. */
    private static long parts(double length, double each) {
        return Math.max(1, (long) Math.ceil(length / each - 1e-6));
    }
}
