package io.tokenbudget.testkit.matrix;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/accounting-matrix.md")
class MatrixPageTest {
    @Test
    void showsTheRowsOfTheMatrix() {
        MatrixPage.check(Path.of(".."), "rows", MatrixPage.rows());
    }
}
