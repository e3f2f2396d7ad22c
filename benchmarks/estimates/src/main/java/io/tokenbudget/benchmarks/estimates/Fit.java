package io.tokenbudget.benchmarks.estimates;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import io.tokenbudget.core.estimates.TextScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the weight of each kind of character: {@code Fit FOLDER[=WEIGHT]...} prints them for both vocabularies, in
 * thousandths of a token, as they stand in {@code TextWeights}.
 *
 * <p>Least squares over pieces of text, in parts of each piece's tokens, by coordinate descent; no weight may be negative,
 * and one that the texts say little of stays near {@value #PRIOR}.
 */
public final class Fit {
    private static final double PRIOR = 0.3;
    private static final double STRENGTH_OF_PRIOR = 0.05;
    private static final int ROUNDS = 3000;
    private static final int NUMBERS_A_LINE = 12;

    private final List<Piece> pieces = new ArrayList<>();

    private Fit() {}

    private static final class Piece {
        final double[] kinds;
        final double weight;

        /** Tokens that the present weights do not explain. */
        double left;

        Piece(double[] kinds, double tokens, double weight) {
            this.kinds = kinds;
            this.left = tokens;
            this.weight = weight / tokens;
        }
    }

    /** Fits and prints. */
    public static void main(String[] folders) {
        for (EncodingType type : List.of(EncodingType.O200K_BASE, EncodingType.CL100K_BASE)) {
            Fit fit = new Fit();
            Encoding encoding = Encodings.newLazyEncodingRegistry().getEncoding(type);
            for (String folder : folders) {
                String[] parts = folder.split("=", 2);
                fit.add(encoding, Path.of(parts[0]), parts.length == 1 ? 1 : Double.parseDouble(parts[1]));
            }
            System.out.println(type + ", " + fit.pieces.size() + " pieces");
            print(fit.weights());
        }
    }

    private void add(Encoding encoding, Path folder, double weight) {
        for (String text : Corpus.read(folder).values()) {
            for (String piece : Corpus.pieces(text)) {
                pieces.add(new Piece(kinds(piece), encoding.countTokensOrdinary(piece), weight));
            }
        }
    }

    private static double[] kinds(String text) {
        double[] kinds = new double[TextScanner.KINDS];
        TextScanner scanner = new TextScanner();
        text.chars().forEach(c -> kinds[scanner.next((char) c)]++);
        return kinds;
    }

    private double[] weights() {
        double[] weights = new double[TextScanner.KINDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int kind = 0; kind < weights.length; kind++) {
                double better = round == 0 ? PRIOR : Math.max(0, weights[kind] + step(kind, weights[kind]));
                for (Piece piece : pieces) {
                    piece.left -= (better - weights[kind]) * piece.kinds[kind];
                }
                weights[kind] = better;
            }
        }
        return weights;
    }

    private double step(int kind, double weight) {
        double numerator = STRENGTH_OF_PRIOR * (PRIOR - weight);
        double denominator = STRENGTH_OF_PRIOR;
        for (Piece piece : pieces) {
            numerator += piece.weight * piece.kinds[kind] * piece.left;
            denominator += piece.weight * piece.kinds[kind] * piece.kinds[kind];
        }
        return numerator / denominator;
    }

    private static void print(double[] weights) {
        List<String> numbers = Arrays.stream(weights)
                .mapToObj(weight -> Long.toString(Math.round(weight * 1000)))
                .toList();
        for (int i = 0; i < numbers.size(); i += NUMBERS_A_LINE) {
            List<String> line = numbers.subList(i, Math.min(numbers.size(), i + NUMBERS_A_LINE));
            System.out.println(String.join(", ", line) + ",");
        }
    }
}
