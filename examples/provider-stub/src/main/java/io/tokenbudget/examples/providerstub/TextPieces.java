package io.tokenbudget.examples.providerstub;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stub's tokenizer: a word of up to seven letters is one token, as are three digits and each other sign. The pieces
 * of a text, joined, are the text.
 */
final class TextPieces {
    private static final Pattern PIECE = Pattern.compile("\\s?(?:\\p{L}{1,7}|\\p{N}{1,3}|[^\\s\\p{L}\\p{N}])|\\s+");

    private TextPieces() {}

    static List<String> of(String text) {
        return PIECE.matcher(text).results().map(MatchResult::group).toList();
    }

    static long count(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        Matcher matcher = PIECE.matcher(text);
        long count = 0;
        while (matcher.find()) {
            count++;
        }
        return count;
    }

    /** All keys and values of a JSON tree. */
    static long countTree(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .mapToLong(entry -> countTree(entry.getKey()) + countTree(entry.getValue()))
                    .sum();
        }
        if (tree instanceof Collection<?> list) {
            return list.stream().mapToLong(TextPieces::countTree).sum();
        }
        return tree == null ? 0 : count(tree.toString());
    }
}
