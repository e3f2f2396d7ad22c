package io.tokenbudget.examples.springbootstarter;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.examples.providerstub.ProviderStub;
import io.tokenbudget.testkit.GuidePage;
import io.tokenbudget.testkit.status.BudgetsEndpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("The example with the Spring Boot starter, and docs/spring-boot.md, whose code it is")
class DeskApplicationTest {
    private static final Path PAGE = Path.of("../../docs/spring-boot.md");
    private static final Path RETRIES = Path.of("../../integration-tests/spring-boot-suite/src/main/java/io/tokenbudget"
            + "/integrationtests/springboot/retries");
    private static final Path FRAMEWORK_RETRIES = Path.of("../../integration-tests/spring-boot-suite-4/src/test/java/io"
            + "/tokenbudget/integrationtests/springboot4/FrameworkRetries.java");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ProviderStub provider = ProviderStub.start(0);
    private final ConfigurableApplicationContext context = SpringApplication.run(
            DeskApplication.class, "--server.port=0", "--spring.ai.openai.base-url=" + provider.baseUrl() + "/v1");

    @AfterAll
    void stop() {
        context.close();
        provider.close();
    }

    @Test
    void eachTenantHasItsOwnBudget() throws Exception {
        for (String tenant : new String[] {"globex", "acme"}) {
            long billed = provider.ledger().billed().totalTokens();
            assertThat(post(tenant, "/ask", "Where is my order?").statusCode()).isEqualTo(200);
            String budget = get("/actuator/tokenbudgets/tenant:" + tenant).body();
            assertThat(budget)
                    .contains("\"used\":" + (provider.ledger().billed().totalTokens() - billed) + ",");
        }

        HttpResponse<String> refused = post("globex", "/ask", "Why? ".repeat(20_000));
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("\"code\":\"never-fits\"");
        assertThat(post("acme", "/ask", "And now?").statusCode()).isEqualTo(200);
    }

    @Test
    void anAnswerThatStreamsIsBookedWhenItHasEnded() throws Exception {
        long billed = provider.ledger().billed().totalTokens();
        HttpResponse<String> answer = post("streamed", "/tell", "Where is my order?");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith("data:");

        String used = "\"used\":" + (provider.ledger().billed().totalTokens() - billed) + ",\"held\":0";
        new BudgetsEndpoint(request("/actuator/tokenbudgets").build().uri())
                .await(budgets -> budgets.held() == 0, Duration.ofSeconds(20));
        assertThat(get("/actuator/tokenbudgets/tenant:streamed").body()).contains(used);
    }

    @Test
    void whatIsTooMuchForTheSummariesIsAnsweredWithoutOne() throws Exception {
        HttpResponse<String> answer = post("acme", "/summary", "A long story. ".repeat(1_000));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("A long story. A long story. A long story...");
    }

    @Test
    void theCodeOnThePageIsThisOne() throws Exception {
        Path desk = Path.of("src/main/java/io/tokenbudget/examples/springbootstarter/Desk.java");
        Path resilience4j = RETRIES.resolve("Resilience4jRetries.java");
        assertThat(GuidePage.missing(
                        PAGE,
                        desk,
                        RETRIES.resolve("SpringRetries.java"),
                        resilience4j,
                        RETRIES.resolve("DecoratedDesk.java"),
                        FRAMEWORK_RETRIES))
                .isEmpty();
        assertThat(blocks("properties"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(Files.readString(resilience4j)).contains('"' + line.strip() + '"'));
        String configuration = Files.readString(Path.of("src/main/resources/application.yaml"));
        assertThat(blocks("yaml application"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(configuration).contains(block));
    }

    private static List<String> blocks(String kind) throws IOException {
        return Pattern.compile("```" + kind + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    private HttpResponse<String> post(String tenant, String path, String text) throws Exception {
        return send(request(path).header("X-Tenant-Id", tenant).POST(HttpRequest.BodyPublishers.ofString(text)));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
