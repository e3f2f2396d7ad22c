package io.tokenbudget.integrationtests.langchain4j;

import io.tokenbudget.testkit.matrix.MatrixPage;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/accounting-matrix.md")
class AccountingMatrixPageTest {
    @Test
    void showsTheLinesAndTheExceptionsOfLangChain4j() {
        StringBuilder section = new StringBuilder("| line | providers |\n|---|---|\n");
        for (Line line : Line.values()) {
            section.append(MatrixPage.line(line.version(), MatrixPage.names(line.providers())));
        }
        section.append("\nExceptions, where LangChain4j's client hides an end or a usage:\n\n")
                .append(MatrixPage.exceptions(Deviations.ALL, Line.values()))
                .append("\nCells that only LangChain4j has:\n\n")
                .append(MatrixPage.rowsOf(LangChain4jMatrix.class))
                .append('\n')
                .append(MatrixPage.rowsOf(LangChain4jStreamingMatrix.class));

        MatrixPage.check(Path.of("../.."), "langchain4j", section.toString());
    }
}
