package io.tokenbudget.core.estimates;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C3 estimate: the text of a request, exactly while it is short")
class RequestTokensTest {
    private static final String WORDS = "Antidisestablishmentarianism is a supercalifragilistic word, isn't it? ";
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    private final ModelEstimates exact = new ModelEstimates(() -> true);

    /** The first call of a model loads its vocabulary, and is not kept waiting for it. */
    @BeforeAll
    static void load() throws InterruptedException {
        for (Vocabulary vocabulary : Vocabulary.values()) {
            Vocabularies.counter(vocabulary);
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("token-budget-vocabulary")) {
                assertThat(thread.isDaemon()).isTrue();
                assertThat(thread.getContextClassLoader()).isNull();
                thread.join(AT_MOST.toMillis());
                assertThat(thread.isAlive()).as("the thread ends by itself").isFalse();
            }
        }
    }

    private static long exactly(Vocabulary vocabulary, String text) {
        ToIntFunction<String> counter = Objects.requireNonNull(Vocabularies.counter(vocabulary));
        return counter.applyAsInt(text);
    }

    @Test
    void countsShortTextWithTheModelsVocabulary() {
        long o200k = exactly(Vocabulary.O200K, WORDS);
        long cl100k = exactly(Vocabulary.CL100K, WORDS);

        assertThat(exact.request("gpt-4o-mini").text(WORDS)).isEqualTo(o200k);
        assertThat(exact.request("gpt-4").text(WORDS)).isEqualTo(cl100k);
        assertThat(TextLength.of(WORDS)).as("the length of this text tells").isNotIn(o200k, cl100k);
    }

    @Test
    void countsByLengthWhereItIsSwitchedOffOrTheModelIsNotKnown() {
        ModelEstimates off = new ModelEstimates(() -> false);

        assertThat(off.request("gpt-4o").text(WORDS)).isEqualTo(TextLength.of(WORDS));
        assertThat(exact.request("llama3").text(WORDS)).isEqualTo(TextLength.of(WORDS));
        assertThat(exact.request(null).text(WORDS)).isEqualTo(TextLength.of(WORDS));
        assertThat(exact.request("claude-sonnet-4-5").text(WORDS))
                .isBetween(TextLength.of(WORDS) + 1, TextLength.of(WORDS) * 5 / 4);
    }

    @Test
    void countsAtMostAThousandCharactersOfARequestExactly() {
        String half = WORDS.repeat(7);
        String whole = WORDS.repeat(15);
        assertThat(half.length()).isBetween(450, 500);
        assertThat(whole.length()).isGreaterThan(1000);

        assertThat(exact.request("gpt-4o").text(whole)).isEqualTo(TextLength.of(whole));
        RequestTokens request = exact.request("gpt-4o");
        assertThat(request.text(half)).isEqualTo(exactly(Vocabulary.O200K, half));
        assertThat(request.text(half)).isEqualTo(exactly(Vocabulary.O200K, half));
        assertThat(request.text(half)).isEqualTo(TextLength.of(half));
        assertThat(request.text("hi")).as("what still fits").isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "gpt-4o, O200K",
        "gpt-4o-mini-2024-07-18, O200K",
        "chatgpt-4o-latest, O200K",
        "gpt-4.1-nano, O200K",
        "gpt-4.5-preview, O200K",
        "gpt-5, O200K",
        "gpt-6, O200K",
        "gpt-oss-20b, O200K",
        "o1, O200K",
        "o3-mini, O200K",
        "o4-mini, O200K",
        "openai/gpt-4o, O200K",
        "ft:gpt-4o-mini:acme::x1, O200K",
        "GPT-4O, O200K",
        "gpt-4, CL100K",
        "gpt-4-turbo, CL100K",
        "gpt-3.5-turbo, CL100K",
        "gpt-35-turbo, CL100K",
        "text-embedding-3-large, CL100K",
        "text-embedding-ada-002, CL100K",
        "claude-3, ",
        "gemini-2.5-pro, ",
        "llama3.2, ",
        "mistral-large, ",
        "my-deployment, "
    })
    void knowsVocabulariesByTheModelsName(String model, Vocabulary vocabulary) {
        assertThat(Vocabulary.of(model)).isEqualTo(vocabulary);
    }
}
