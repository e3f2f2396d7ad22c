package io.tokenbudget.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Token-Budget-Context: what one service tells another, and nothing that a value makes of it")
class ContextHeaderTest {
    private static final String[] PIECES = {
        "a",
        "Z9",
        ",",
        "=",
        "%",
        "%2C",
        "\r\n",
        "X: y",
        "tenant=evil",
        "\"",
        ";",
        "é",
        "東京",
        "😀",
        "\ud83d",
        "\u202e",
        " ",
        "sha256.",
        "x".repeat(250),
        "\u0000",
        "/",
        ":"
    };

    @Test
    void isWrittenInItsOrderWithoutWhatIsNotSaid() {
        BudgetContext context =
                BudgetContext.builder().tenant("Müller & Co").agent("planner").build();

        assertThat(ContextHeader.of(context, "r-1#2").format())
                .isEqualTo("reservation=r-1%232,agent=planner,tenant=M%C3%BCller%20%26%20Co");
        assertThat(ContextHeader.of(BudgetContext.EMPTY, null).format()).isEmpty();
    }

    @Test
    void whateverTheValuesAreItIsOneLineOfFourWordsThatReadsBack() {
        Random random = new Random(2_026);
        for (int i = 0; i < 20_000; i++) {
            ContextHeader header =
                    ContextHeader.of(context(value(random), value(random), value(random)), value(random));

            String text = header.format();

            assertThat(text).matches("[A-Za-z0-9=,%._~-]*");
            assertThat(text.chars().filter(c -> c == '=').count()).isLessThanOrEqualTo(4);
            assertThat(ContextHeader.parse(text)).isEqualTo(text.isEmpty() ? null : header);
        }
    }

    private static BudgetContext context(@Nullable String run, @Nullable String agent, @Nullable String tenant) {
        BudgetContext.Builder context = BudgetContext.builder();
        if (run != null) {
            context.runId(run);
        }
        if (agent != null) {
            context.agent(agent);
        }
        return (tenant == null ? context : context.tenant(tenant)).build();
    }

    private static @Nullable String value(Random random) {
        StringBuilder text = new StringBuilder();
        for (int more = random.nextInt(4); more > 0; more--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString().isBlank() ? null : text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "tenant",
                "=acme",
                "tenant=",
                "tenant=a,tenant=b",
                "tenant=a,",
                "tenant=a;agent=b",
                "tenant=%4",
                "tenant=%",
                "tenant=%zz",
                "tenant=%c3",
                "tenant=%C3",
                "tenant=%0A",
                "tenant=%E2%80%AE",
                "tenant=a b",
                "tenant=\u00e9",
                "tenant=\"acme\"",
            })
    void whatIsNotAsItIsWrittenIsNoneAsAWhole(String text) {
        assertThat(ContextHeader.parse(text)).isNull();
    }

    @Test
    void whatIsTooLongIsNone() {
        assertThat(ContextHeader.parse("tenant=" + "x".repeat(200))).isNotNull();
        assertThat(ContextHeader.parse("tenant=" + "x".repeat(201))).isNull();
        assertThat(ContextHeader.parse("later=" + "x,later=".repeat(2_000))).isNull();
        assertThat(ContextHeader.parse(null)).isNull();
    }

    @Test
    void namesOfALaterVersionArePassedOver() {
        assertThat(ContextHeader.parse("hops=3, tenant=acme"))
                .isEqualTo(new ContextHeader(null, null, null, "acme"))
                .extracting(ContextHeader::context)
                .isEqualTo(BudgetContext.builder().tenant("acme").build());
    }
}
