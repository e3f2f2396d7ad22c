package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.MatrixPage;
import io.tokenbudget.testkit.matrix.Provider;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/accounting-matrix.md")
class AccountingMatrixPageTest {
    @Test
    void showsTheLinesAndTheExceptionsOfLangChain4j() {
        MatrixPage.check(Path.of("../.."), "langchain4j", lines() + exceptions() + cells());
    }

    private static String lines() {
        StringBuilder table = new StringBuilder("| line | providers |\n|---|---|\n");
        for (Line line : Line.values()) {
            String providers = line.providers().stream().map(Provider::toString).collect(Collectors.joining(", "));
            table.append(MatrixPage.line(line.version, providers));
        }
        return table.toString();
    }

    private static String exceptions() {
        StringBuilder table = new StringBuilder("""

                Exceptions, where LangChain4j's client hides an end or a usage:

                | provider | line | the provider | booked instead | because |
                |---|---|---|---|---|
                """);
        for (KnownDeviation known : KnownDeviation.all()) {
            table.append(MatrixPage.line(
                    known.provider().toString(),
                    versions(known.lines()),
                    '`' + known.deviation().row() + (known.streamed() ? "`, streamed" : "`, blocking"),
                    known.deviation().booking().label(),
                    known.deviation().reason()));
        }
        return table.toString();
    }

    private static String versions(Set<Line> lines) {
        return Stream.of(Line.values())
                .filter(lines::contains)
                .map(line -> line.version)
                .collect(Collectors.joining(", "));
    }

    private static String cells() {
        return "\nCells that only LangChain4j has:\n\n" + MatrixPage.rowsOf(LangChain4jMatrix.class) + '\n'
                + MatrixPage.rowsOf(LangChain4jStreamingMatrix.class);
    }
}
