package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.core.spi.Price;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PricesTest {
    private static final String YAML = """
            prices:
              "*": {input: 1, output: 2}
              "gpt-4o*": {input: 2.50, cached-input: 1.25, output: 10}
              "gpt-4o-mini": {input: 0.15, cached-input: 0.075, output: 0.60}
              "gemini-2.5-pro":
                input: 1.25
                output: 10
                above: {200k: {input: 2.50, output: 15}}
              "dall-e-3": {image: 0.04}
              "search*": {request: 0.01}
            """;

    private static Prices prices(String yaml) {
        return YamlSettings.parse(yaml, "budgets.yaml").prices();
    }

    private static Price price(String yaml, String model) {
        return Objects.requireNonNull(prices(yaml).of(model));
    }

    @Test
    void theNameThatSaysMoreCounts() {
        assertThat(price(YAML, "gpt-4o-mini").rates().input()).isEqualTo(150_000_000);
        assertThat(price(YAML, "gpt-4o-2024-11-20").rates().input()).isEqualTo(2_500_000_000L);
        assertThat(price(YAML, "something else").rates().output()).isEqualTo(2_000_000_000L);
    }

    @Test
    void whatIsNotSaidCostsAsMuchAsWhatItIsAPartOf() {
        assertThat(price(YAML, "gpt-4o").rates())
                .isEqualTo(new Price.Rates(
                        2_500_000_000L, 1_250_000_000L, 2_500_000_000L, 10_000_000_000L, 10_000_000_000L));
        assertThat(price(YAML, "gemini-2.5-pro").steps())
                .isEqualTo(List.of(new Price.Step(
                        200_000,
                        new Price.Rates(
                                2_500_000_000L, 2_500_000_000L, 2_500_000_000L, 15_000_000_000L, 15_000_000_000L))));
        assertThat(price(YAML, "dall-e-3").image()).isEqualTo(40_000_000);
        assertThat(price(YAML, "search-1").request()).isEqualTo(10_000_000);
    }

    @Test
    void aModelThatNoneMatchesIsUnknownOrFreeAsTheConfigurationSays() {
        String one = "prices: {gpt-4o: {input: 1, output: 1}}\n";

        assertThat(price(one, "gpt-5").unknownModel()).isEqualTo("gpt-5");
        assertThat(prices(one + "unknown-price: ignore").of("gpt-5")).isNull();
    }

    @Test
    void effectiveValuesSayEachPrice() {
        LoadedSettings loaded = SettingsLoader.load(YAML, "budgets.yaml", Map.of(), Map.of());

        assertThat(loaded.values().stream().map(EffectiveValue::toString).filter(value -> value.startsWith("prices.")))
                .containsExactly(
                        "prices.* = input 1, output 2 (budgets.yaml:2)",
                        "prices.gpt-4o* = input 2.5, cached-input 1.25, output 10 (budgets.yaml:3)",
                        "prices.gpt-4o-mini = input 0.15, cached-input 0.075, output 0.6 (budgets.yaml:4)",
                        "prices.gemini-2.5-pro = input 1.25, output 10, above 200000 input tokens: (input 2.5, output 15)"
                                + " (budgets.yaml:5)",
                        "prices.dall-e-3 = image 0.04 (budgets.yaml:9)",
                        "prices.search* = request 0.01 (budgets.yaml:10)");
    }

    @Test
    void aLimitInMoneyWithoutAnyPriceIsSaid() {
        String row = "budgets: [{scope: tenant, limits: [\"$40 per calendar day\"]}]\n";

        assertThat(SettingsLoader.load(row, "budgets.yaml", Map.of(), Map.of()).warnings())
                .containsExactly(
                        "budgets.yaml:1: budgets[0].limits: a limit in money, and nothing stands under prices: it"
                                + " refuses every call");
        assertThat(SettingsLoader.load(row + "unknown-price: ignore", "budgets.yaml", Map.of(), Map.of())
                        .warnings())
                .isEmpty();
    }

    @Test
    void aPlanIsFoundAsAVariableSays() {
        LoadedSettings loaded =
                SettingsLoader.load("", "budgets.yaml", Map.of(), Map.of("TOKEN_BUDGET_IDENTITY_PLAN", "literal:pro"));

        assertThat(loaded.settings().identity()).containsKey("plan");
        assertThat(loaded.warnings()).isEmpty();
        assertThat(MapSettings.dimensions()).contains("plan");
    }

    @Test
    void theNestedKeysOfAFrameworkSayTheSameAsAFile() {
        Map<String, Object> flat = new LinkedHashMap<>();
        flat.put("prices.gemini-2.5-pro.input", 1.25);
        flat.put("prices.gemini-2.5-pro.output", "10");
        flat.put("prices.gemini-2.5-pro.above.200k.input", "2.50");
        flat.put("prices.gemini-2.5-pro.above[200k].output", 15);
        flat.put("prices.[gpt-4o*].input", 2.5);
        flat.put("prices.[gpt-4o*].cachedInput", 1.25);
        flat.put("prices.[gpt-4o*].output", 10);

        Prices read = MapSettings.parse(flat, "application").prices();

        assertThat(read.of("gemini-2.5-pro")).isEqualTo(price(YAML, "gemini-2.5-pro"));
        assertThat(read.of("gpt-4o")).isEqualTo(price(YAML, "gpt-4o"));
    }
}
