package io.tokenbudget.integrationtests.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("docs/usage.md: every provider has recorded answers, and every field of its bill is in them")
class UsagePageTest {
    private final UsagePage page = new UsagePage();

    static Stream<Answer> answers() {
        return Answer.providers().stream().flatMap(provider -> Answer.of(provider).stream());
    }

    @Test
    void bothTablesAndTheRecordedAnswersAreOfTheSameProviders() {
        assertThat(page.billed()).containsExactlyInAnyOrderElementsOf(Answer.providers());
        assertThat(page.reaching()).containsExactlyElementsOf(page.billed());
    }

    @Test
    void everyProviderHasAnswersOfBothWays() {
        assertThat(Answer.providers())
                .allSatisfy(provider -> assertThat(Answer.of(provider))
                        .extracting(Answer::streamed)
                        .contains(true, false));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerHasAllFieldsOfTheBillAndNoTwoOfThemAreEqual(Answer answer) {
        List<String> fields = UsagePage.PARTS.stream()
                .flatMap(part -> page.fields(answer.provider(), part).stream())
                .distinct()
                .toList();
        assertThat(fields).allSatisfy(field -> assertThat(answer.number(field)).isPresent());
        assertThat(fields.stream()
                        .map(field -> answer.number(field).getAsLong())
                        .toList())
                .doesNotContain(0L)
                .doesNotHaveDuplicates();
    }

    @Test
    void everyBillHasInputAndOutputOrSaysThatThereIsNone() {
        assertThat(page.billed())
                .allSatisfy(
                        provider -> assertThat(page.fields(provider, "input").isEmpty())
                                .isEqualTo(page.fields(provider, "output").isEmpty()));
    }
}
