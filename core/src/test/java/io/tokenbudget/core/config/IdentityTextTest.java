package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenbudget.core.config.IdentitySource.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IdentityTextTest {
    @ParameterizedTest
    @EnumSource
    void everyKindIsReadAsItIsWritten(Kind kind) {
        IdentitySource source = new IdentitySource(kind, kind.named ? "X-a.b:c".substring(0, 5) : "");

        assertThat(IdentityText.parse(source.toString())).isEqualTo(source);
        assertThat(IdentityText.format(List.of(source, source))).isEqualTo(source + ", " + source);
    }

    @ParameterizedTest
    @EnumSource
    void aNameTooManyOrTooFewIsAnErrorThatSaysTheForm(Kind kind) {
        String wrong = kind.named ? kind.text : kind.text + ":x";

        assertThatThrownBy(() -> IdentityText.parse(wrong))
                .hasMessage("found \"" + wrong + "\"; allowed: " + kind.allowed());
    }

    @ParameterizedTest
    @CsvSource({"HEADER:x", "memory-id", "cookie:session", "''", "invocation-parameter:user"})
    void anUnknownKindIsAnErrorThatNamesAllKinds(String wrong) {
        assertThatThrownBy(() -> IdentityText.parse(wrong))
                .hasMessage("found \"" + wrong + "\"; allowed: literal:<value>, property:<name>, env:<name>, mdc:<key>,"
                        + " baggage:<key>, header:<name>, principal, claim:<name>, memoryId, invocation:<name>,"
                        + " advisor:<name>");
    }

    @ParameterizedTest
    @CsvSource({"X Tenant", "X-Tenant:", "Tenänt", "X(1)"})
    void whatCannotBeAHeaderFieldIsNoSource(String name) {
        assertThatThrownBy(() -> IdentityText.parse("header:" + name))
                .hasMessageContaining("\"" + name + "\" cannot be the name of a header field");
    }

    @Test
    void aNameMayContainColons() {
        assertThat(IdentityText.parse("claim:https://example.org/tenant"))
                .isEqualTo(new IdentitySource(Kind.CLAIM, "https://example.org/tenant"));
    }
}
