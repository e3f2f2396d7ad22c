package io.tokenbudget.core.metering;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("C8 refusals are final: found again by their text")
class RefusalTextsTest {
    private static final String MESSAGE = "agent:writer: limit of 10 tokens per 1h reached; try again in 59m";

    private final RefusalTexts texts = new RefusalTexts();
    private final RuntimeException refusal = new IllegalStateException(MESSAGE);

    @Test
    void findsAMessageAloneAndInsideAnother() {
        texts.add(refusal);

        assertThat(texts.find(MESSAGE)).isSameAs(refusal);
        assertThat(texts.find("java.util.concurrent.CompletionException: " + MESSAGE))
                .isSameAs(refusal);
    }

    @Test
    void findsTheLatestOfTheSameMessage() {
        RuntimeException later = new IllegalStateException(MESSAGE);
        texts.add(refusal);
        texts.add(later);

        assertThat(texts.find(MESSAGE)).isSameAs(later);
    }

    @Test
    void findsNothingInOtherTextsOrInLongOnes() {
        texts.add(refusal);
        texts.add(new IllegalStateException("  "));

        assertThat(texts.find("mild  and sunny")).isNull();
        assertThat(texts.find(MESSAGE + "x".repeat(5_000))).isNull();
    }

    @Test
    void forgetsTheOldestFirst() {
        texts.add(refusal);
        for (int i = 0; i < 256; i++) {
            texts.add(new IllegalStateException("refusal " + i));
        }

        assertThat(texts.find(MESSAGE)).isNull();
        assertThat(texts.find("refusal 0")).isNotNull();
    }
}
