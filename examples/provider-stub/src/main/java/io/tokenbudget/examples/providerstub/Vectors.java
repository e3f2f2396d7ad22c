package io.tokenbudget.examples.providerstub;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

/** Embeddings without meaning: the same text has the same vector, of length 1, and other texts have others. */
final class Vectors {
    static final int DIMENSIONS = 16;

    private Vectors() {}

    static List<Float> of(String text, int dimensions) {
        double[] values =
                new SplittableRandom(text.hashCode()).doubles(dimensions, -1, 1).toArray();
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        List<Float> vector = new ArrayList<>(dimensions);
        for (double value : values) {
            vector.add((float) (value / Math.sqrt(squares)));
        }
        return vector;
    }

    /** As OpenAI packs them: little-endian, four bytes each. */
    static String base64(List<Float> vector) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * vector.size()).order(ByteOrder.LITTLE_ENDIAN);
        vector.forEach(bytes::putFloat);
        return Base64.getEncoder().encodeToString(bytes.array());
    }
}
