package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenbudget.core.config.ConfigurationException.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("README.md and docs/: every configuration does what the page says, and the version is the build's")
class DocumentationTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/configuration.md");

    @ParameterizedTest
    @MethodSource("rightExamples")
    void anExampleIsRead(Block example) {
        assertThat(YamlSettings.parse(example.text(), "budgets.yaml")).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("wrongExamples")
    void aWrongExampleFailsWithTheMessagesBelowIt(WrongExample example) {
        ConfigurationException refused = catchThrowableOfType(
                ConfigurationException.class,
                () -> YamlSettings.parse(example.yaml().text(), "budgets.yaml"));
        assertThat(refused).isNotNull();
        assertThat(refused.problems().stream().map(Problem::toString).toList())
                .containsExactlyElementsOf(example.messages().text().lines().toList());
    }

    @Test
    void thePriceTableOfTheExamplesIsRead() throws IOException {
        Settings table = YamlSettings.parse(
                Files.readString(ROOT.resolve("examples/prices/budgets.yaml")), "examples/prices/budgets.yaml");
        assertThat(table.prices().models()).isNotEmpty();
    }

    @Test
    void theListOfAllKeysShowsTheDefaults() throws IOException {
        Block allKeys = blocks(PAGE).stream()
                .filter(block -> block.text().contains("status:"))
                .findFirst()
                .orElseThrow();
        assertThat(YamlSettings.parse(allKeys.text(), "budgets.yaml")).isEqualTo(Settings.DEFAULT);
        assertThat(SettingsLoader.load(allKeys.text(), "page", Map.of(), Map.of())
                        .values())
                .extracting(EffectiveValue::source)
                .doesNotContain("default");
    }

    @Test
    void everyKeyIsDescribedWithItsPropertyAndItsVariable() throws IOException {
        String page = Files.readString(PAGE);
        for (String path : ScalarKey.paths()) {
            assertThat(page)
                    .contains("`" + path + "`", "`-Dtoken-budget." + path + "=", "`" + Overrides.variable(path) + "`");
        }
    }

    @Test
    void everyKeyOfALaterVersionIsListed() throws IOException {
        String later = Files.readString(PAGE).split("## Not supported yet", -1)[1];
        assertThat(KnownKeys.LATER_TOP).allSatisfy(key -> assertThat(later).contains("`" + key + "`"));
        assertThat(KnownKeys.LATER_ROW).allSatisfy(key -> assertThat(later).contains("`" + key + "`"));
    }

    @Test
    void theVersionIsTheOneThatIsBuilt() throws IOException {
        List<String> versions = new ArrayList<>();
        for (Path page : pages()) {
            versions.addAll(all("(?:<version>|\\[token-budget] )(\\d+\\.[\\w.-]+)", Files.readString(page)));
        }
        String built = all(
                        "<artifactId>token-budget-parent</artifactId>\\s*<version>(.+?)<",
                        Files.readString(ROOT.resolve("pom.xml")))
                .get(0);
        assertThat(versions).isNotEmpty().containsOnly(built);
    }

    private static List<String> all(String expression, String text) {
        return Pattern.compile(expression)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    static List<Named<Block>> rightExamples() throws IOException {
        List<Named<Block>> examples = new ArrayList<>();
        for (Path page : pages()) {
            for (Block block : blocks(page)) {
                if (block.kind().equals("yaml")) {
                    examples.add(Named.of(ROOT.relativize(page) + " line " + block.line(), block));
                }
            }
        }
        return examples;
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    static List<Named<WrongExample>> wrongExamples() throws IOException {
        List<Block> blocks = blocks(PAGE);
        return Stream.iterate(0, i -> i < blocks.size(), i -> i + 1)
                .filter(i -> blocks.get(i).kind().equals("yaml wrong"))
                .map(i -> Named.of("line " + blocks.get(i).line(), new WrongExample(blocks.get(i), blocks.get(i + 1))))
                .toList();
    }

    /** The fenced blocks of a page in their order. */
    private static List<Block> blocks(Path page) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = Files.readAllLines(page);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("```")) {
                int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
                String text = String.join("\n", lines.subList(i + 1, end));
                blocks.add(new Block(lines.get(i).substring(3), i + 1, text));
                i = end;
            }
        }
        return blocks;
    }

    record Block(String kind, int line, String text) {}

    record WrongExample(Block yaml, Block messages) {}
}
