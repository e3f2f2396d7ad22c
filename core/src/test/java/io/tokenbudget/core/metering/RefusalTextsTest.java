package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("C8 refusals are final: found again by their text")
class RefusalTextsTest {
    private static final String MESSAGE = "agent:writer: limit of 10 tokens per 1h reached; try again in 59m";
    private static final long NOW = 1_000_000;

    private final RefusalTexts texts = new RefusalTexts();
    private final BudgetContext caller = BudgetContext.of("writer", "acme");
    private final Run run = new Run(BudgetContext.EMPTY, caller, caller, Beginning.of(new String[0]));

    private static LimitExceededException refusal(String message, String scope, @Nullable Duration retryAfter) {
        return new LimitExceededException(
                message, scope, "10 tokens per 1h", 5, 1, retryAfter, RefusalReason.LIMIT_REACHED);
    }

    private LimitExceededException add(String message) {
        LimitExceededException refusal = refusal(message, "agent:writer", Duration.ofMinutes(59));
        texts.add(refusal, refusal, run, NOW);
        return refusal;
    }

    private @Nullable RuntimeException find(String text) {
        return texts.find(text, run, NOW, () -> caller);
    }

    @Test
    void findsAMessageAloneAndInsideAnother() {
        RuntimeException refusal = add(MESSAGE);

        assertThat(find(MESSAGE)).isSameAs(refusal);
        assertThat(find("java.util.concurrent.CompletionException: " + MESSAGE)).isSameAs(refusal);
    }

    @Test
    void findsTheLatestOfTheSameMessage() {
        add(MESSAGE);
        RuntimeException later = add(MESSAGE);

        assertThat(find(MESSAGE)).isSameAs(later);
    }

    @Test
    void findsNothingInOtherTextsOrInLongOnes() {
        add(MESSAGE);
        add("  ");

        assertThat(find("mild  and sunny")).isNull();
        assertThat(find(MESSAGE + "x".repeat(5_000))).isNull();
    }

    @Test
    void forgetsTheOldestFirst() {
        add(MESSAGE);
        for (int i = 0; i < 256; i++) {
            add("refusal " + i);
        }

        assertThat(find(MESSAGE)).isNull();
        assertThat(find("refusal 0")).isNotNull();
    }

    @Test
    void theRunThatMetItFindsItWheneverAndWhereverItGoes() {
        RuntimeException refusal = add(MESSAGE);
        Run elsewhere =
                run.at(BudgetContext.builder().agent("reader").build()).onThread(BudgetContext.EMPTY, null, null, null);

        assertThat(texts.find(MESSAGE, elsewhere, NOW + Duration.ofHours(2).toMillis(), elsewhere::context))
                .isSameAs(refusal);
    }

    @Test
    void itsOwnIsFoundAmongOthersThatATextQuotes() {
        LimitExceededException ofAnother = refusal("refusal 1", "tenant:globex", Duration.ofMinutes(59));
        BudgetContext stranger = BudgetContext.of("writer", "globex");
        Run another = new Run(BudgetContext.EMPTY, stranger, stranger, Beginning.of(new String[0]));
        texts.add(ofAnother, ofAnother, another, NOW);
        LimitExceededException earlier = refusal("refusal 2", "agent:writer", Duration.ofMinutes(59));
        texts.add(earlier, earlier, another, NOW);
        RuntimeException own = add(MESSAGE);
        String text = "log: refusal 1; refusal 2; now " + MESSAGE;

        assertThat(find(text)).as("that of the same run").isSameAs(own);
        assertThat(texts.find(text, null, NOW, () -> caller))
                .as("that of no other caller")
                .isIn(earlier, own);
        assertThat(find("refusal 1")).isNull();
    }

    @Test
    void aNameWithASlashIsTheSameNameInAScope() {
        LimitExceededException refusal = refusal(MESSAGE, "tenant:acme%2Feu/agent:%252F", Duration.ofMinutes(59));
        texts.add(refusal, refusal, run, NOW);

        assertThat(texts.find(MESSAGE, null, NOW, () -> BudgetContext.of("%2F", "acme/eu")))
                .isSameAs(refusal);
        assertThat(texts.find(MESSAGE, null, NOW, () -> BudgetContext.of("%2F", "acme")))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "agent:writer,             3600, 59,  true", // lost its run on a thread of its own
        "agent:writer,             3600, 60,  false", // too long ago for that
        "agent:writer,             5,    4,   true",
        "agent:writer,             5,    5,   false", // waiting has helped
        "tenant:globex,            3600, 0,   false", // another tenant reads of it in a log
        "tenant:acme/agent:reader, 3600, 0,   false",
        "tenant:acme/agent:writer, 3600, 0,   true",
        "user:ann,                 3600, 0,   true", // nothing is known of a user
        "global,                   3600, 0,   true"
    })
    void anotherRunFindsItOnlyShortlyAfterAndOnlyWhereItMayBeItsOwn(
            String scope, int retryAfterSeconds, int secondsLater, boolean found) {
        LimitExceededException refusal = refusal(MESSAGE, scope, Duration.ofSeconds(retryAfterSeconds));
        texts.add(refusal, refusal, run, NOW);
        Run other = new Run(BudgetContext.EMPTY, caller, caller, Beginning.of(new String[0]));
        long later = NOW + Duration.ofSeconds(secondsLater).toMillis();

        assertThat(texts.find(MESSAGE, other, later, () -> caller)).isSameAs(found ? refusal : null);
        assertThat(texts.find(MESSAGE, null, later, () -> caller)).isSameAs(found ? refusal : null);
    }
}
