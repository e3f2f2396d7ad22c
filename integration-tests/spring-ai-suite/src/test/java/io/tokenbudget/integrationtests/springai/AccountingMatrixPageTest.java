package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.MatrixPage;
import io.tokenbudget.testkit.matrix.Provider;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("docs/accounting-matrix.md")
class AccountingMatrixPageTest {
    @Test
    void showsTheLinesAndTheExceptionsOfSpringAi() {
        MatrixPage.check(Path.of("../.."), "spring-ai", lines() + exceptions() + cells());
    }

    private static String lines() {
        StringBuilder table = new StringBuilder("| line | through the model | through `ChatClient` |\n|---|---|---|\n");
        for (Line line : Line.values()) {
            table.append(MatrixPage.line(
                    line.version,
                    providers(ForEachProvider.class),
                    providers(ChatClientInProcessTest.class, ChatClientStreamingInProcessTest.class)));
        }
        return table.toString();
    }

    private static String providers(Class<?>... matrices) {
        return Stream.of(matrices)
                .flatMap(matrix ->
                        Stream.of(matrix.getAnnotation(EnumSource.class).names()))
                .map(name -> Provider.valueOf(name).toString())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String exceptions() {
        StringBuilder table = new StringBuilder("""

                Exceptions, where Spring AI's client hides a usage:

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
        return "\nCells that only Spring AI has:\n\n" + MatrixPage.rowsOf(SpringAiMatrix.class);
    }
}
