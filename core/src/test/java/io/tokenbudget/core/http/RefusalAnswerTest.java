package io.tokenbudget.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.BudgetContext;
import io.tokenbudget.LimitExceededException;
import io.tokenbudget.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@DisplayName("HTTP answer of a refusal: 429 in the standards' words, and nothing of other callers' budgets")
class RefusalAnswerTest {
    private static final Asker ACME = Asker.of(
            BudgetContext.builder().tenant("acme").user("u1").runId("r-1").build());

    @Test
    void saysEverythingOfTheCallersOwnBudget() {
        RefusalAnswer answer = RefusalAnswer.of(
                refusal(
                        "tenant:acme",
                        "100k tokens per 1h",
                        120,
                        Duration.ofMillis(2_400_001),
                        RefusalReason.LIMIT_REACHED),
                ACME);

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.headers())
                .containsExactly(
                        Map.entry("Retry-After", "2401"),
                        Map.entry("RateLimit", "\"tenant-tokens-1h\";r=120;t=2401"),
                        Map.entry("RateLimit-Policy", "\"tenant-tokens-1h\";q=100000;qu=\"tokens\";w=3600"));
        assertThat(answer.body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
                        + "\"status\":429,\"detail\":\"tenant:acme has used up its 100k tokens per 1h\","
                        + "\"code\":\"limit-reached\",\"scope\":\"tenant:acme\",\"limit\":\"100k tokens per 1h\","
                        + "\"retryAfter\":2401,\"violated-policies\":[\"tenant-tokens-1h\"]}");
    }

    @Test
    void thePageShowsWhatIsAnswered() throws IOException {
        RefusalAnswer answer = RefusalAnswer.of(
                refusal(
                        "tenant:acme",
                        "100k tokens per 1h",
                        120,
                        Duration.ofMillis(2_400_001),
                        RefusalReason.LIMIT_REACHED),
                ACME);
        StringBuilder shown = new StringBuilder("```\nHTTP/1.1 " + answer.status() + '\n');
        answer.headers().forEach((name, value) -> shown.append(name + ": " + value + '\n'));
        shown.append("Content-Type: " + answer.contentType() + "\n\n" + answer.body() + "\n```");

        assertThat(Files.readString(Path.of("../docs/http-answers.md"))).contains(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "global",
                "model:gpt-4o",
                "agent:planner",
                "tool:search",
                "project:p/agent:a",
                "tenants:acme",
                "model:x/tenant:acme",
                "tenant:globex",
                "tenant:acme/user:u2",
                "tenant:globex/user:u1",
                "user:U1",
                "run:r-2",
                "tenant:acme%2Fuser:u1"
            })
    void saysNeitherNameNorNumberOfABudgetThatIsShared(String scope) {
        RefusalAnswer answer = RefusalAnswer.of(
                refusal(scope, "777 tokens per 5m", 555, Duration.ofSeconds(30), RefusalReason.LIMIT_REACHED), ACME);

        assertThat(answer.headers()).containsExactly(Map.entry("Retry-After", "30"));
        assertThat(answer.body()).doesNotContain("777", "555", scope.split(":", 2)[0] + ':');
        assertThat(json(answer)).containsOnlyKeys("type", "title", "status", "detail", "code", "retryAfter");
    }

    @ParameterizedTest
    @CsvSource({
        "tenant, acme/eu, tenant:acme%2Feu",
        "tenant, 50%2F, tenant:50%252F",
        "user, a:b, tenant:t/user:a:b",
    })
    void aValueIsTheCallersAsScopesWriteIt(String dimension, String value, String scope) {
        BudgetContext sender =
                BudgetContext.builder().tenant("t").dimension(dimension, value).build();

        assertThat(Asker.of(sender).owns(scope)).isTrue();
        assertThat(Asker.NOBODY.owns(scope)).isFalse();
    }

    @Test
    void aRequestThatNeverFitsIsAnswered429WithoutAWait() {
        RefusalAnswer answer = RefusalAnswer.of(
                refusal("user:u1", "1k output tokens per calendar day", 1000, null, RefusalReason.NEVER_FITS), ACME);

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.headers())
                .containsExactly(
                        Map.entry("RateLimit", "\"user-output-tokens-calendar-day\";r=1000"),
                        Map.entry(
                                "RateLimit-Policy",
                                "\"user-output-tokens-calendar-day\";q=1000;qu=\"output-tokens\";w=86400"));
        assertThat(json(answer)).containsEntry("code", "never-fits").doesNotContainKey("retryAfter");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tenant:acme         | 60 requests per 1m              | "tenant-requests-1m";q=60;w=60
            tenant:acme         | 60 attempts per 90s             | "tenant-attempts-90s";q=60;qu="attempts";w=90
            tenant:acme/agent:b | 3 concurrent                    | "tenant/agent-concurrent";q=3;qu="concurrent-requests"
            run:r-1          | 5000 tokens                     | "run-tokens";q=5000;qu="tokens"
            tenant:acme         | 2M tokens per calendar month    | "tenant-tokens-calendar-month";q=2000000;qu="tokens"
            tenant:acme         | 9007199254740991 tokens per 1d  | "tenant-tokens-1d";q=999999999999999;qu="tokens";w=86400
            tenant:acme         | $40 per calendar day            | "tenant-usd-calendar-day";q=40000000000;qu="nano-usd";w=86400
            tenant:acme/bü"r:x  | 1 token per 1s                  | "tenant/b__r-tokens-1s";q=1;qu="tokens";w=1
            """)
    void everyUnitAndWindowIsWrittenAsAStructuredField(String scope, String limit, String policy) {
        assertThat(RefusalAnswer.of(refusal(scope, limit, 0, Duration.ZERO, RefusalReason.LIMIT_REACHED), ACME)
                        .headers())
                .containsEntry("RateLimit-Policy", policy);
    }

    @Test
    void aLimitThatTheFieldsCannotSayIsLeftOutOfThem() {
        RefusalAnswer answer = RefusalAnswer.of(
                refusal("tenant:acme", "3 wishes per 1h", 0, Duration.ofSeconds(9), RefusalReason.LIMIT_REACHED), ACME);

        assertThat(answer.headers()).containsExactly(Map.entry("Retry-After", "9"));
        assertThat(json(answer)).containsEntry("limit", "3 wishes per 1h").doesNotContainKey("violated-policies");
    }

    @Test
    void whateverAScopeContainsTheBodyIsJsonOnOneLine() {
        String scope = "tenant:a\"b\\c\n\r\t\u0000\u2028é😀\ud800";

        RefusalAnswer answer = RefusalAnswer.of(
                refusal(scope, "1 request", 0, Duration.ZERO, RefusalReason.LIMIT_REACHED),
                Asker.of(BudgetContext.builder().tenant(scope.substring(7)).build()));

        assertThat(answer.body()).doesNotContain("\n", "\r");
        assertThat(answer.headers().values()).allMatch(value -> value.matches("[ -~]+"));
        assertThat(json(answer)).containsEntry("scope", scope);
    }

    @Test
    void findsTheRefusalThroughCauses() {
        LimitExceededException refusal =
                refusal("tenant:acme", "1 request", 0, Duration.ZERO, RefusalReason.LIMIT_REACHED);

        assertThat(RefusalAnswer.among(new IllegalStateException("wrapped", new CompletionException(refusal)), ACME))
                .isEqualTo(RefusalAnswer.of(refusal, ACME));
        assertThat(RefusalAnswer.among(new IllegalStateException("another"), ACME))
                .isNull();
        assertThat(RefusalAnswer.among(null, ACME)).isNull();
    }

    private static LimitExceededException refusal(
            String scope, String limit, long remaining, @Nullable Duration wait, RefusalReason reason) {
        return new LimitExceededException(
                scope + " has used up its " + limit, scope, limit, 1, remaining, wait, reason);
    }

    /** YAML 1.2 contains JSON. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(RefusalAnswer answer) {
        return (Map<String, Object>)
                Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(answer.body()));
    }
}
