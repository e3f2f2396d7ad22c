package io.tokenbudget.testkit.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/** The documentation's page of the matrix, whose tables are written from its rows. */
public final class MatrixPage {
    private MatrixPage() {}

    /** The bookings, the endings and the other rows of both matrices. */
    static String rows() {
        return bookings() + endings() + "\n### Blocking calls and streams\n\n" + rowsOf(CommonRows.class)
                + "\n### Blocking calls\n\n" + rowsOf(BlockingCallMatrix.class)
                + "\n### Streams\n\n" + rowsOf(StreamsThatAreLeft.class, StreamingCallMatrix.class);
    }

    private static String bookings() {
        StringBuilder table = new StringBuilder("| what is booked | why |\n|---|---|\n");
        for (Booking booking : Booking.values()) {
            table.append(line(booking.label(), booking.reason()));
        }
        return table.toString();
    }

    private static String endings() {
        Set<String> scenarios = new LinkedHashSet<>();
        Stream.of(Ending.values()).map(ending -> ending.scenario).forEach(scenarios::add);
        Stream.of(StreamEnding.values()).map(ending -> ending.scenario).forEach(scenarios::add);
        StringBuilder table =
                new StringBuilder("\n### Every ending\n\n| the provider | blocking | stream |\n|---|---|---|\n");
        for (String scenario : scenarios) {
            String blocking = Stream.of(Ending.values())
                    .filter(ending -> ending.scenario.equals(scenario))
                    .map(ending -> ending.booking.label())
                    .collect(Collectors.joining());
            String streamed = Stream.of(StreamEnding.values())
                    .filter(ending -> ending.scenario.equals(scenario))
                    .map(ending -> ending.booking.label() + (ending.flowsAsSeen() ? ", of what was seen" : ""))
                    .collect(Collectors.joining());
            table.append(line('`' + scenario + '`', orNotRun(blocking), orNotRun(streamed)));
        }
        return table.toString();
    }

    private static String orNotRun(String booked) {
        return booked.isEmpty() ? "not run" : booked;
    }

    /** The tests that the classes of a matrix declare, by their rules. */
    public static String rowsOf(Class<?>... matrix) {
        StringBuilder table = new StringBuilder("| rule | the provider | booked |\n|---|---|---|\n");
        Stream.of(matrix)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(DisplayName.class))
                .map(MatrixPage::row)
                .sorted()
                .forEach(table::append);
        return table.toString();
    }

    private static String row(Method test) {
        Row row = test.getAnnotation(Row.class);
        if (row == null) {
            throw new IllegalStateException(test + " has no @Row");
        }
        return line(test.getAnnotation(DisplayName.class).value(), row.provider(), row.booked());
    }

    /** The table of what the clients of a framework hide, a line for each. */
    public static String exceptions(List<KnownDeviation> all, FrameworkLine... lines) {
        StringBuilder table = new StringBuilder("""
                | provider | line | the provider | booked instead | because |
                |---|---|---|---|---|
                """);
        for (KnownDeviation known : all) {
            String versions = Stream.of(lines)
                    .filter(known.lines()::contains)
                    .map(FrameworkLine::version)
                    .collect(Collectors.joining(", "));
            table.append(line(
                    known.provider().toString(),
                    versions,
                    '`' + known.deviation().row() + (known.streamed() ? "`, streamed" : "`, blocking"),
                    known.deviation().booking().label(),
                    known.deviation().reason()));
        }
        return table.toString();
    }

    /** The names of providers as a cell of a table shows them. */
    public static String names(List<Provider> providers) {
        return providers.stream().map(Provider::toString).collect(Collectors.joining(", "));
    }

    /** A line of a table. */
    public static String line(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    /**
     * Fails unless the section of the page is what the code says, and then writes the page as it must be.
     *
     * @param root the folder that has {@code docs/}, from that of the module
     * @param section stands in the page between {@code <!-- begin section -->} and {@code <!-- end section -->}
     * @param wanted what it must say
     */
    public static void check(Path root, String section, String wanted) {
        try {
            Path page = root.resolve("docs/accounting-matrix.md");
            String text = Files.readString(page);
            String begin = "<!-- begin " + section + " -->\n";
            int from = text.indexOf(begin);
            int to = text.indexOf("<!-- end " + section + " -->");
            if (from < 0 || to < from) {
                throw new AssertionError(page + " has no section " + section);
            }
            String right = text.substring(0, from + begin.length()) + '\n' + wanted + '\n' + text.substring(to);
            if (!right.equals(text)) {
                Path target = Files.createDirectories(Path.of("target")).resolve("accounting-matrix.md");
                Files.writeString(target, right);
                throw new AssertionError("the page and the matrix differ; to update it: cp " + target.toAbsolutePath()
                        + ' ' + page.toAbsolutePath().normalize());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
