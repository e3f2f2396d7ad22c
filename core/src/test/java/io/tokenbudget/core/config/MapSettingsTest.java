package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.core.config.ConfigurationException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@DisplayName("Settings from a framework's map: the same as from the file, in every form that frameworks give it")
class MapSettingsTest {
    private static final String EVERY_KEY = """
            mode: observe
            hold: 90s
            remember: 1h
            remember-at-most: 10k
            zone: Europe/Berlin
            overrun: cap-at-estimate
            identity:
              tenant: ["env:TENANT", "literal:none"]
              org.unit: ["mdc:team"]
              user: []
            budgets:
              - scope: tenant
                limits: ["1M tokens per calendar day", "3 concurrent"]
              - {scope: org.unit, limits: [unlimited]}
              - {scope: "model:gpt-4.1*", limits: ["2M tokens per 1m"]}
              - {scope: tenant, when: {plan: pro.max, user: ann}, limits: ["$40 per 1h"]}
            plans: {free: {multiplier: 1}, pro.max: {multiplier: 2.5}}
            default-plan: free
            prices:
              "gpt-4.1*": {input: 2, cached-input: 0.5, output: 8, above: {"200k": {input: 4, output: 16}, "1M": {input: 5, output: 20}}}
              "dall-e-3": {image: 0.04, request: 0.001}
            unknown-price: ignore
            estimates:
              exact: false
              default-max-output: 2048
              models: {"gpt-4.1*": {max-output: 8192}, "gpt-4": {max-output: 100}, "a/b c": {max-output: 7}, "*": {max-output: 512}}
            streaming: {reserve: full, chunk: 64}
            on-failure: {rejected: keep-input, timeout: keep-estimate, cut-stream: refund, unusable-answer: keep-counted}
            status: {port: 8085}
            """;

    /** What is no mistake where a framework has its own spelling of keys, or cannot be written in a map. */
    private static final Set<String> ONLY_IN_A_FILE = Set.of(
            "hold: the key stands here twice, first in line 3",
            "found a list or mapping as a key; allowed: a word",
            "identity.user: found keys with values; allowed: a list such as [\"mdc:tenant\", \"literal:default\"]",
            "estimates.models.o4*: \"max-output\" is missing",
            "estimates.models.o4*.max_output: unknown key, did you mean \"max-output\"?",
            "on-failure.time-out: unknown key, did you mean \"timeout\"?");

    static List<Named<UnaryOperator<Map<String, @Nullable Object>>>> forms() {
        return List.of(
                Named.of("nested, with lists", map -> map),
                Named.of("flat, with indexes", map -> flat(map, false)),
                Named.of("flat, names in brackets", map -> flat(map, true)),
                Named.of("nested, lists as maps", map -> indexed(map)),
                Named.of("camel case", map -> respelled(map, MapSettingsTest::camelCase)),
                Named.of("underscores, upper case", map -> respelled(map, MapSettingsTest::upperCase)),
                Named.of("texts with commas, numbers as texts", map -> joinedTexts(map)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyFormIsReadLikeTheFile(UnaryOperator<Map<String, @Nullable Object>> form) {
        assertThat(MapSettings.parse(form.apply(tree(EVERY_KEY)), "application"))
                .isEqualTo(YamlSettings.parse(EVERY_KEY, "application"));
    }

    @Test
    void aBrokenMapIsAnsweredLikeTheBrokenFileWithoutLines() throws IOException {
        Map<String, @Nullable Object> broken =
                tree(resource("broken.yaml").replace("\nhold: 5m\n", "\n").replace("[a, b]: c\n", ""));

        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> MapSettings.parse(broken, "application.yaml"));

        assertThat(refused).isNotNull();
        assertThat(refused.problems().stream().map(Problem::toString))
                .containsAll(resource("broken.txt")
                        .lines()
                        .map(line -> line.replaceFirst("^broken.yaml:\\d+: ", ""))
                        .filter(line -> !ONLY_IN_A_FILE.contains(line))
                        .map(line -> "application.yaml: " + line)
                        .toList());
    }

    @Test
    void aKeyInTwoSpellingsIsAMistake() {
        Map<String, Object> twice = new LinkedHashMap<>();
        twice.put("remember-at-most", 5);
        twice.put("rememberAtMost", 6);

        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> MapSettings.parse(twice, "application.yaml"));

        assertThat(refused).hasMessage("application.yaml: remember-at-most: the key stands here twice");
    }

    @Test
    void whereTheFrameworkKnowsWhichSpellingCountsItDoes() {
        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("onfailure", Map.of("cutstream", "nonsense"));
        nested.put("on-failure", Map.of("cut-stream", "keep-input", "timeout", "refund"));
        nested.put("HOLD", "nonsense");

        Settings settings = MapSettings.load(
                        nested, "application", Map.of("on-failure.cut-stream", "refund", "hold", "1m")::get)
                .settings();

        assertThat(settings.onFailure().cutStream()).isEqualTo(OnFailure.Booking.REFUND);
        assertThat(settings.onFailure().timeout()).isEqualTo(OnFailure.Booking.REFUND);
        assertThat(settings.hold()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void emptyListsAndMappingsThatBecameEmptyTextsAreEmpty() {
        assertThat(MapSettings.parse(
                        Map.of("budgets", "", "identity", "", "on-failure", "", "estimates.models", ""), "application"))
                .isEqualTo(Settings.DEFAULT);
        assertThat(MapSettings.parse(Map.of("identity.tenant", ""), "application")
                        .identity())
                .containsEntry("tenant", List.of());
    }

    @Test
    void whatOnlyTheAgentReadsIsPassedOver() {
        assertThat(MapSettings.parse(
                        Map.of("config", "x.yaml", "agent.log", "all", "agent.active", "1"), "application"))
                .isEqualTo(Settings.DEFAULT);
    }

    @Test
    void eachValueSaysThatItComesFromTheApplication() {
        LoadedSettings loaded = MapSettings.load(Map.of("hold", "1m"), "application.yaml");

        assertThat(loaded.values())
                .contains(
                        new EffectiveValue("hold", "1m", "application.yaml"),
                        new EffectiveValue("remember", "10m", "default"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> tree(String yaml) {
        return (Map<String, @Nullable Object>)
                Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }

    private static Map<String, @Nullable Object> flat(Map<String, @Nullable Object> tree, boolean brackets) {
        Map<String, @Nullable Object> flat = new LinkedHashMap<>();
        flatten("", tree, brackets, flat::put);
        return flat;
    }

    private static void flatten(
            String path, @Nullable Object value, boolean brackets, BiConsumer<String, @Nullable Object> into) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((key, each) -> {
                boolean named = path.equals("identity") || path.equals("estimates.models");
                String step = brackets && named ? "[\"" + key + "\"]" : (path.isEmpty() ? "" : ".") + key;
                flatten(path + step, each, brackets, into);
            });
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            for (int i = 0; i < list.size(); i++) {
                flatten(path + '[' + i + ']', list.get(i), brackets, into);
            }
        } else {
            into.accept(path, value instanceof List<?> ? "" : value);
        }
    }

    private static Map<String, @Nullable Object> indexed(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> indexed = new LinkedHashMap<>();
        tree.forEach((key, value) -> indexed.put(key, withIndexes(value)));
        return indexed;
    }

    private static @Nullable Object withIndexes(@Nullable Object value) {
        Map<String, @Nullable Object> indexed = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> indexed.put(String.valueOf(key), withIndexes(each)));
            return indexed;
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            list.forEach(each -> indexed.put(
                    indexed.size() % 2 == 0 ? "" + indexed.size() : "[" + indexed.size() + "]", withIndexes(each)));
            return indexed;
        }
        return value;
    }

    private static Map<String, @Nullable Object> respelled(
            Map<String, @Nullable Object> tree, UnaryOperator<String> spelling) {
        Map<String, @Nullable Object> respelled = new LinkedHashMap<>();
        tree.forEach((key, value) -> {
            boolean names = Set.of("identity", "models", "plans", "prices").contains(key);
            respelled.put(spelling.apply(key), names ? value : respelledBelow(value, spelling));
        });
        return respelled;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object respelledBelow(@Nullable Object value, UnaryOperator<String> spelling) {
        if (value instanceof Map<?, ?> map) {
            return respelled((Map<String, @Nullable Object>) map, spelling);
        }
        return value instanceof List<?> list
                ? new ArrayList<>(list.stream()
                        .map(each -> respelledBelow(each, spelling))
                        .toList())
                : value;
    }

    @Test
    void variablesThatWerePerhapsMeantAsKeysAreTold() {
        Map<String, String> variables = Map.of(
                "TOKEN_BUDGET_MODE", "observe",
                "TOKEN_BUDGET_MOD", "observe",
                "TOKEN_BUDGET_IDENTITY_BRANCH", "literal:b",
                "TOKENBUDGET_PORT", "tcp://10.0.0.1:80",
                "TOKENBUDGET_SERVICE_HOST", "10.0.0.1",
                "PATH", "/bin");
        assertThat(MapSettings.slips(variables, List.of("branch")))
                .containsExactly(
                        "environment variable TOKEN_BUDGET_MOD is no key and is ignored: did you mean TOKEN_BUDGET_MODE?");
    }

    @Test
    void variablesThatOnlyAFileCanSayAreTold() {
        Map<String, String> variables = Map.of(
                "TOKEN_BUDGET_BUDGETS_0_SCOPE", "tenant",
                "TOKENBUDGET_BUDGETS", "tenant",
                "TOKEN_BUDGET_PRICES_X_INPUT", "1",
                "TOKEN_BUDGET_PLANS_PRO_MULTIPLIER", "2",
                "TOKEN_BUDGET_ESTIMATES_MODELS_X_MAX_OUTPUT", "3",
                "TOKEN_BUDGET_BUDGETS_1_SCOPE", " ",
                "TOKEN_BUDGET_BUDGETS_PORT", "tcp://10.0.0.1:80",
                "TOKEN_BUDGET_PRICES_SERVICE_HOST", "10.0.0.1",
                "TOKEN_BUDGET_BUDGETS_PORT_80_TCP", "tcp://10.0.0.1:80");
        assertThat(MapSettings.slips(variables, List.of()))
                .containsExactly(
                        "environment variable TOKENBUDGET_BUDGETS is ignored: only a file can say this",
                        "environment variable TOKEN_BUDGET_BUDGETS_0_SCOPE is ignored: only a file can say this",
                        "environment variable TOKEN_BUDGET_ESTIMATES_MODELS_X_MAX_OUTPUT is ignored: only a file can say this",
                        "environment variable TOKEN_BUDGET_PLANS_PRO_MULTIPLIER is ignored: only a file can say this",
                        "environment variable TOKEN_BUDGET_PRICES_X_INPUT is ignored: only a file can say this");
    }

    private static String camelCase(String key) {
        String[] words = key.split("-", -1);
        for (int i = 1; i < words.length; i++) {
            words[i] = Character.toUpperCase(words[i].charAt(0)) + words[i].substring(1);
        }
        return String.join("", words);
    }

    private static String upperCase(String key) {
        return key.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private static Map<String, @Nullable Object> joinedTexts(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> joined = new LinkedHashMap<>();
        tree.forEach((key, value) -> joined.put(key, joinedText(value)));
        return joined;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object joinedText(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return joinedTexts((Map<String, @Nullable Object>) map);
        }
        if (value instanceof List<?> list) {
            return list.stream().allMatch(each -> each instanceof String)
                    ? list.stream().map(String::valueOf).collect(Collectors.joining(", "))
                    : list.stream().map(MapSettingsTest::joinedText).toList();
        }
        return String.valueOf(value);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = MapSettingsTest.class.getResourceAsStream("/config/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
