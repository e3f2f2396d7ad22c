package io.tokenbudget.examples.providerstub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of a {@code multipart/form-data} body. Of a file only its size is kept. */
final class Multipart {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
    private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]*)\"");

    private Multipart() {}

    /** @throws IllegalArgumentException with a sentence for the client, if the body is none */
    static Map<String, Object> fields(WebRequest request) {
        Matcher boundary = BOUNDARY.matcher(request.header("content-type"));
        if (!boundary.find()) {
            throw new IllegalArgumentException("the body is no multipart/form-data");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        String body = new String(request.body(), ISO_8859_1);
        for (String part : body.split(Pattern.quote("--" + boundary.group(1)), -1)) {
            int headEnd = part.indexOf("\r\n\r\n");
            Matcher name = NAME.matcher(headEnd < 0 ? "" : part.substring(0, headEnd));
            if (name.find()) {
                String value = part.substring(headEnd + 4, part.length() - 2);
                boolean file = part.substring(0, headEnd).contains("filename=");
                fields.put(name.group(1), file ? value.length() : new String(value.getBytes(ISO_8859_1), UTF_8));
            }
        }
        return fields;
    }
}
