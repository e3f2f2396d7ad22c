package io.tokenbudget.integrationtests.usage;

import io.tokenbudget.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * docs/usage.md, as far as it can be checked: which fields of an answer make up the bill of each provider, and how much of it
 * reaches us through each line of a framework.
 */
final class UsagePage {
    static final List<String> PARTS = List.of("input", "cached", "cache write", "output", "reasoning");

    private static final Path PAGE = Path.of("..", "..", "docs", "usage.md");
    private static final Pattern FIELD = Pattern.compile("`([\\w.]+)`");
    private static final Pattern FOOTNOTES = Pattern.compile("[¹²³⁴⁵⁶⁷⁸⁹ ]+$");
    private static final List<String> NOT_SHOWN = List.of("no cached", "no cache write", "no reasoning");

    /** Not shipped, or shipped and not tested. */
    private static final List<String> NO_CLIENT = List.of("–", "not tested");

    private final List<String> lines;
    private final Map<String, Map<String, String>> bills;
    private final Map<String, Map<String, String>> shown;

    UsagePage() {
        try {
            lines = Files.readAllLines(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        bills = table("## What is billed");
        shown = table("## What reaches us");
    }

    /** The first table under a heading: its rows by their first cell, and their cells by the table's head. */
    private Map<String, Map<String, String>> table(String heading) {
        List<List<String>> cells = lines.subList(lines.indexOf(heading) + 1, lines.size()).stream()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
        List<String> head = cells.get(0);
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (List<String> row : cells.subList(2, cells.size())) {
            Map<String, String> byHead = new LinkedHashMap<>();
            for (int column = 1; column < head.size(); column++) {
                byHead.put(head.get(column), row.get(column));
            }
            rows.put(name(row.get(0)), byHead);
        }
        return rows;
    }

    /** {@code Azure OpenAI} is {@code azure-openai}. */
    private static String name(String provider) {
        return provider.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    /** The rows of the first table. */
    List<String> billed() {
        return List.copyOf(bills.keySet());
    }

    /** The rows of the second table. */
    List<String> reaching() {
        return List.copyOf(shown.keySet());
    }

    /** Whether {@code line} of a framework has a client for {@code provider}. */
    boolean hasClient(String provider, String line) {
        return !NO_CLIENT.contains(cell(shown, provider, line));
    }

    /** The fields that are added up for {@code part} of the bill. */
    List<String> fields(String provider, String part) {
        return FIELD.matcher(cell(bills, provider, part))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private long billed(Answer answer, String part) {
        return fields(answer.provider(), part).stream()
                .mapToLong(field -> answer.number(field).orElse(0))
                .sum();
    }

    /**
     * What {@code line} of a framework is claimed to let through of the bill for {@code answer}: {@code all} of it, {@code no}
     * for parts that stay hidden, or a {@link Claim.Kind} in words.
     */
    Claim claim(Answer answer, String line) {
        String cell = cell(shown, answer.provider(), line);
        String[] ways = cell.split("; in streams: ", -1);
        String says = ways[answer.streamed() ? ways.length - 1 : 0];
        for (Claim.Kind kind : Claim.Kind.values()) {
            if (says.equals(kind.words)) {
                return new Claim(kind, bill(answer, List.of()));
            }
        }
        List<String> hidden = says.equals("all") ? List.of() : Arrays.asList(says.split(", ", -1));
        if (!NOT_SHOWN.containsAll(hidden)) {
            throw new AssertionError("In " + PAGE + " \"" + cell + "\" says nothing that can be checked");
        }
        return new Claim(Claim.Kind.EXACTLY, bill(answer, hidden));
    }

    private Usage bill(Answer answer, List<String> hidden) {
        return new Usage(
                billed(answer, "input"),
                hidden.contains("no cached") ? 0 : billed(answer, "cached"),
                hidden.contains("no cache write") ? 0 : billed(answer, "cache write"),
                billed(answer, "output"),
                hidden.contains("no reasoning") ? 0 : billed(answer, "reasoning"));
    }

    private static String cell(Map<String, Map<String, String>> table, String provider, String column) {
        String cell = table.getOrDefault(provider, Map.of()).get(column);
        if (cell == null) {
            throw new AssertionError(PAGE + " has no cell for " + provider + ", " + column);
        }
        return FOOTNOTES.matcher(cell).replaceAll("");
    }
}
