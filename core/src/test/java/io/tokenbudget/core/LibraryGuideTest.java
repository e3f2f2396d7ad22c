package io.tokenbudget.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.example.Library;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/library.md: the program on the page runs and prints what the page says")
class LibraryGuideTest {
    @Test
    void theProgramIsTheOneThatRunsHere() throws IOException {
        String source = Files.readString(Path.of("src/test/java/org/example/Library.java"));
        String shown = source.substring(source.indexOf("import "));

        assertThat(page()).contains("```java\n" + shown + "```", "```\n" + output() + "```");
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/library.md"));
    }

    private static String output() {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Library.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
