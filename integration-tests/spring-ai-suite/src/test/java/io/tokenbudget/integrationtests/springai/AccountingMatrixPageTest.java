package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.MatrixPage;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/accounting-matrix.md")
class AccountingMatrixPageTest {
    @Test
    void showsTheLinesAndTheExceptionsOfSpringAi() {
        StringBuilder section =
                new StringBuilder("| line | through the model | through `ChatClient` |\n|---|---|---|\n");
        for (Line line : Line.values()) {
            section.append(MatrixPage.line(
                    line.version(), MatrixPage.names(line.providers()), MatrixPage.names(Line.clients())));
        }
        section.append("\nExceptions, where Spring AI's client hides an end or a usage:\n\n")
                .append(MatrixPage.exceptions(Deviations.ALL, Line.values()))
                .append("\nCells that only Spring AI has:\n\n")
                .append(MatrixPage.rowsOf(SpringAiMatrix.class));

        MatrixPage.check(Path.of("../.."), "spring-ai", section.toString());
    }
}
