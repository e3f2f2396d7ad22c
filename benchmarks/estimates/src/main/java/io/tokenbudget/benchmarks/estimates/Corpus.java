package io.tokenbudget.benchmarks.estimates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Texts of a folder, and the pieces that stand for short requests. */
final class Corpus {
    private static final int PIECE = 200;

    private Corpus() {}

    /** The texts of a folder and the folders in it, by file name without its ending. */
    static Map<String, String> read(Path folder) {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                try {
                    texts.merge(
                            file.getFileName().toString().split("\\.", -1)[0], Files.readString(file), String::concat);
                } catch (IOException unreadable) {
                    throw new UncheckedIOException(unreadable);
                }
            });
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return texts;
    }

    /** A text in pieces of about 200 characters that end with a word or a line. */
    static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        for (int begin = 0; begin < text.length(); ) {
            int end = Math.min(text.length(), begin + PIECE);
            int latest = Math.min(text.length(), end + PIECE / 5);
            while (end < latest && !Character.isWhitespace(text.charAt(end))) {
                end++;
            }
            if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
                end++;
            }
            pieces.add(text.substring(begin, end));
            begin = end;
        }
        return pieces;
    }
}
