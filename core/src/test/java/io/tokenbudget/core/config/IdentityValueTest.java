package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of clients: whatever they are, they name a budget that can be kept and shown, and each its own. */
class IdentityValueTest {
    @ParameterizedTest
    @ValueSource(strings = {"acme", "Müller & Söhne", "octo/hello", "a:b", "*", "東京", " x ", "😀", "%2F", "sha256"})
    void whatCanBeShownStaysTheSameObject(String value) {
        assertThat(IdentityValue.of(value)).isSameAs(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\nb",
                "a\tb",
                "\u0000",
                "a\u007f",
                "a\u0085b",
                "\u202eevil",
                "zero\u200bwidth",
                "a\u2028",
                "\ud83d",
                "\ue000",
                "ab\u0378",
                "sha256.",
                "sha256.00"
            })
    void whatCannotBeShownIsReplacedByItsDigest(String value) {
        assertThat(IdentityValue.of(value)).matches("sha256\\.[0-9a-f]{64}");
    }

    @Test
    void theBoundIsTwoHundredCharacters() {
        String longest = "x".repeat(IdentityValue.LONGEST);

        assertThat(IdentityValue.of(longest)).isSameAs(longest);
        assertThat(IdentityValue.of(longest + "x")).startsWith("sha256.");
        assertThat(IdentityValue.of("  ")).isNull();
        assertThat(IdentityValue.of(null)).isNull();
    }

    @Test
    void noTwoCallersEverShareABudget() {
        Random random = new Random(20_260);
        Map<String, String> rawByValue = new HashMap<>();
        String[] pieces = {
            "a",
            "/",
            ":",
            "*",
            "\n",
            "\u202e",
            "\ud83d",
            "\ude00",
            "é",
            "e\u0301",
            "sha256.",
            "x".repeat(199),
            "%2F",
            " "
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int more = random.nextInt(5); more >= 0; more--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            String raw = text.toString();
            String value = IdentityValue.of(raw);
            if (value == null) {
                assertThat(raw).isBlank();
                continue;
            }
            assertThat(value.length()).isLessThanOrEqualTo(IdentityValue.LONGEST);
            assertThat(rawByValue.merge(value, raw, (before, same) -> before)).isEqualTo(raw);
            String others = IdentityValue.of(value);
            assertThat(value.equals(raw) || !value.equals(others))
                    .as("naming the digest of \"%s\" is no way into its budget", raw)
                    .isTrue();
        }
    }
}
