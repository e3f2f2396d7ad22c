package io.tokenbudget.integrationtests.usage;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One recorded answer of a provider: a file of {@code answers/<provider>/}, whose name begins with the way it is asked for and
 * ends with its format.
 *
 * @param provider the folder, as {@link UsagePage} names the row
 * @param file holds the body, for people to read: binary event streams are written as lines of JSON
 */
public record Answer(String provider, Path file) {
    private static final Path ALL = Path.of("..", "usage-suite", "answers");

    /** The names of all folders. */
    public static List<String> providers() {
        return list(ALL).stream().map(folder -> folder.getFileName().toString()).toList();
    }

    /** All answers of one provider. */
    public static List<Answer> of(String provider) {
        return list(ALL.resolve(provider)).stream()
                .map(file -> new Answer(provider, file))
                .toList();
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the answer flows. */
    public boolean streamed() {
        return name().startsWith("streaming");
    }

    String name() {
        return file.getFileName().toString();
    }

    String contentType() {
        return switch (extension()) {
            case "json" -> "application/json";
            case "sse" -> "text/event-stream";
            case "ndjson" -> "application/x-ndjson";
            case "events" -> "application/vnd.amazon.eventstream";
            default -> throw new IllegalStateException("no format of answers: " + file);
        };
    }

    /** What goes over the wire. */
    byte[] body() {
        return extension().equals("events")
                ? AwsEventStream.encode(text().lines().toList())
                : text().getBytes(StandardCharsets.UTF_8);
    }

    private String extension() {
        return name().substring(name().lastIndexOf('.') + 1);
    }

    private String text() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The number at a dotted path, wherever in the answer it begins: the largest one, as what a stream reports grows.
     *
     * @return empty if nothing in the answer has that path
     */
    public OptionalLong number(String path) {
        return documents().stream()
                .flatMap(document -> at(document, List.of(path.split("\\."))))
                .mapToLong(Long::longValue)
                .max();
    }

    private List<Object> documents() {
        List<Object> documents = new ArrayList<>();
        for (String document :
                extension().equals("json") ? List.of(text()) : text().lines().toList()) {
            String json = document.startsWith("data:") ? document.substring("data:".length()) : document;
            if (json.strip().startsWith("{")) {
                try {
                    documents.add(JSON.std.anyFrom(json));
                } catch (IOException e) {
                    throw new UncheckedIOException(file + " is not JSON: " + json, e);
                }
            }
        }
        return documents;
    }

    private static Stream<Long> at(@Nullable Object value, List<String> path) {
        if (value instanceof Collection<?> elements) {
            return elements.stream().flatMap(element -> at(element, path));
        }
        if (!(value instanceof Map<?, ?> fields)) {
            return Stream.empty();
        }
        Stream<Long> deeper = fields.values().stream().flatMap(field -> at(field, path));
        Object here = value;
        for (String step : path) {
            here = here instanceof Map<?, ?> map ? map.get(step) : null;
        }
        return here instanceof Number number ? Stream.concat(Stream.of(number.longValue()), deeper) : deeper;
    }

    @Override
    public String toString() {
        return provider + " " + name();
    }
}
