package io.tokenbudget.testkit.matrix;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What unmetered calls came to, kept in a file between the run in process, which can make such calls, and the run under
 * the agent, which cannot. Thread-safe.
 */
public final class Outcomes {
    /** The system property with the file's path. */
    public static final String PROPERTY = "accounting-matrix.outcomes";

    private final Path file;
    private final Properties known = new Properties();

    private Outcomes(Path file) {
        this.file = file;
    }

    /** The file that {@link #PROPERTY} names, to be written; null if it names none. */
    public static @Nullable Outcomes toWrite() {
        String path = System.getProperty(PROPERTY);
        return path == null ? null : new Outcomes(Path.of(path));
    }

    /** What an earlier run has written to the file that {@link #PROPERTY} names. */
    static Outcomes written() {
        String path = System.getProperty(PROPERTY);
        if (path == null || !Files.isReadable(Path.of(path))) {
            throw new IllegalStateException("the run in process must come first and write the outcomes of unmetered"
                    + " calls to the file that -D" + PROPERTY + " names, not " + path);
        }
        Outcomes outcomes = new Outcomes(Path.of(path));
        try {
            outcomes.load();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return outcomes;
    }

    private void load() throws IOException {
        try (Reader reader = Files.newBufferedReader(file)) {
            known.load(reader);
        }
    }

    /** Remembers one, in the file too, beside what others of this run have written there. */
    public synchronized void add(String cell, Outcome outcome) {
        try {
            if (Files.exists(file)) {
                load();
            }
            known.setProperty(cell, outcome.text());
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (Writer writer = Files.newBufferedWriter(file)) {
                known.store(writer, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized Outcome get(String cell) {
        String text = known.getProperty(cell);
        if (text == null) {
            throw new IllegalStateException("no outcome of an unmetered call for " + cell + " in " + file);
        }
        return new Outcome(text);
    }
}
