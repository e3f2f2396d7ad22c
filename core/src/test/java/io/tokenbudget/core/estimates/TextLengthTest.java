package io.tokenbudget.core.estimates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("C3 estimate: text by calibrated length")
class TextLengthTest {
    private static final Map<Vocabulary, ToIntFunction<String>> EXACT = Map.of(
            Vocabulary.O200K, JtokkitCounter.load(Vocabulary.O200K),
            Vocabulary.CL100K, JtokkitCounter.load(Vocabulary.CL100K));
    private static final Path MEASURED = Path.of("src/test/resources/estimates/measured");

    @ParameterizedTest(name = "{0} within {1} %")
    @CsvSource({
        "english, 8",
        "german, 12",
        "chinese, 12",
        "code, 8",
        "json, 8",
        "spanish, 20",
        "russian, 8",
        "japanese, 8",
        "korean, 15",
        "arabic, 20",
        "hindi, 20",
        "emoji, 10"
    })
    void isCloseToWhatTheVocabularyMakesOfATextItWasNotFittedTo(String name, int percent) throws IOException {
        String text = Files.readString(MEASURED.resolve(name + ".txt"));
        for (Vocabulary vocabulary : Vocabulary.values()) {
            double exact = exact(vocabulary).applyAsInt(text);
            assertThat(TextLength.of(text, vocabulary) / exact)
                    .as("%s", vocabulary)
                    .isCloseTo(1, within(percent / 100.0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsTheWholeHoweverItIsCutAndNeverLessThanBefore(Vocabulary vocabulary) throws IOException {
        Random random = new Random(7);
        for (String text : texts()) {
            TextLength pieces = new TextLength(vocabulary);
            long before = 0;
            for (int at = 0; at < text.length(); ) {
                int end = Math.min(text.length(), at + random.nextInt(9));
                pieces.read(text.substring(at, end));
                assertThat(pieces.tokens()).isGreaterThanOrEqualTo(before);
                before = pieces.tokens();
                at = end;
            }
            assertThat(pieces.tokens()).isEqualTo(TextLength.of(text, vocabulary));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16_385, 40_000, 250_000, 5_000_000})
    void samplesALongTextFromAllOverIt(int characters) throws IOException {
        List<String> texts = new ArrayList<>();
        texts().forEach(texts::add);
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; mixed.length() < characters; i++) {
            mixed.append(texts.get(i % texts.size()));
        }
        mixed.setLength(characters);
        TextLength whole = new TextLength();
        whole.read(mixed);

        assertThat(TextLength.of(mixed) / (double) whole.tokens()).isCloseTo(1, within(0.1));
    }

    @Test
    void takesEveryCharacterThereIs() {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            all.append((char) c);
        }
        for (Vocabulary vocabulary : Vocabulary.values()) {
            assertThat(vocabulary.weights()).hasSize(TextScanner.KINDS);
            TextLength length = new TextLength(vocabulary);
            length.read(all);
            assertThat(length.tokens()).isBetween(10_000L, 200_000L);
        }
    }

    @Test
    void countsNothingAsNothingAndAnythingAsSomething() {
        assertThat(TextLength.of(null)).isZero();
        assertThat(TextLength.of("")).isZero();
        assertThat(TextLength.of("a")).isEqualTo(1);
        assertThat(TextLength.of(" ")).isEqualTo(1);
    }

    @Test
    void anExactCounterTakesWhatLooksLikeASpecialTokenForText() {
        ToIntFunction<String> counter = exact(Vocabulary.O200K);

        assertThat(counter.applyAsInt("hello world")).isEqualTo(2);
        assertThat(counter.applyAsInt("<|endoftext|>")).isGreaterThan(1);
        assertThat(counter.applyAsInt("\uD800 half a character")).isPositive();
    }

    private static ToIntFunction<String> exact(Vocabulary vocabulary) {
        return Objects.requireNonNull(EXACT.get(vocabulary));
    }

    private static Iterable<String> texts() throws IOException {
        try (Stream<Path> files = Files.list(MEASURED)) {
            return files.map(TextLengthTest::read).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
