package io.tokenbudget.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What caches that callers share may keep")
class SharedCachesTest {

    private static boolean mayKeep(String field) {
        String[] parts = field.split(": ", 2);
        Map<String, List<String>> fields =
                parts.length < 2 ? Map.of() : Map.of(parts[0], List.of(parts[1].split(";", -1)));
        return SharedCaches.mayKeep(name -> fields.getOrDefault(name, List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cache-Control: public",
                "Cache-Control: max-age=60, PUBLIC",
                "Cache-Control: s-maxage=60",
                "Cache-Control: no-transform, max-age=60",
                "Cache-Control: must-revalidate;max-age=\"60\"",
                "Expires: Thu, 01 Dec 2033 16:00:00 GMT",
                "Last-Modified: Thu, 01 Dec 1994 16:00:00 GMT"
            })
    void maybe(String field) {
        assertThat(mayKeep(field)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "Cache-Control: private",
                "Cache-Control: private, max-age=60",
                "Cache-Control: public;no-store",
                "Cache-Control: no-cache",
                "Cache-Control: max-age=0",
                "Cache-Control: no-cache, no-store, max-age=0, must-revalidate",
                "ETag: \"1\""
            })
    void never(String field) {
        assertThat(mayKeep(field)).isFalse();
    }
}
