package io.tokenbudget.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares the Java on a page of the guide with sources that are compiled and run. Immutable. */
public final class GuidePage {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private GuidePage() {}

    /**
     * The pieces of Java on {@code page} that none of {@code sources} has, however they are broken into lines.
     *
     * @throws IllegalArgumentException if the page shows no Java
     */
    public static List<String> missing(Path page, Path... sources) throws IOException {
        List<String> programs = new ArrayList<>();
        for (Path source : sources) {
            programs.add(squeezed(Files.readString(source)));
        }
        List<String> missing = new ArrayList<>();
        Matcher shown = JAVA.matcher(Files.readString(page));
        int pieces = 0;
        for (; shown.find(); pieces++) {
            String piece = squeezed(shown.group(1));
            if (programs.stream().noneMatch(program -> program.contains(piece))) {
                missing.add(shown.group(1));
            }
        }
        if (pieces == 0) {
            throw new IllegalArgumentException(page + " shows no Java");
        }
        return missing;
    }

    private static String squeezed(String code) {
        return SPACE.matcher(code).replaceAll("");
    }
}
